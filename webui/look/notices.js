// The switch in the person's dialog for notices of what is due.
import { checkLogIn, pageData as data, recall, remember } from "./common.js";

const KEY = `sf-notices:${data.companion}:${data.person}`;
const canPush = "PushManager" in window && Boolean(navigator.serviceWorker);
const kept = () => recall(localStorage, KEY);

async function send(method, subscription) {
  const body = JSON.stringify({ person: data.person, ...JSON.parse(JSON.stringify(subscription)) });
  const answer = await fetch(`./notices${location.search}`, { method, headers: { "content-type": "application/json" }, body });
  checkLogIn(answer);
  if (!answer.ok) throw answer.status;
}

async function subscribe() {
  await navigator.serviceWorker.register("./worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  let made = await pushManager.getSubscription();
  const key = made && btoa(String.fromCharCode(...new Uint8Array(made.options.applicationServerKey)));
  if (made && key.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") !== data.notices) made = void (await made.unsubscribe());
  made ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: data.notices });
  await send("POST", made);
  remember(localStorage, KEY, made.endpoint);
}

customElements.define("sf-notices", class extends HTMLElement {
  connectedCallback() {
    const [tick, left, told] = ["[type=checkbox]", "[name=endpoint]", "[role=status]"].map((each) => this.querySelector(each));
    const show = (words = this.dataset.about) => ([tick.checked, left.value, told.textContent] = [Boolean(kept()), kept() ?? "", words]);
    this.hidden = !canPush;
    show();
    tick.onchange = async () => {
      const endpoint = kept();
      remember(localStorage, KEY, null);
      try {
        if (!tick.checked) await send("DELETE", { endpoint });
        else if ((await Notification.requestPermission()) !== "granted") return show(this.dataset.refused);
        else await subscribe();
        show();
      } catch {
        show(this.dataset.failed);
      }
    };
  }
});

// The browser may have changed its endpoint, or another person may have subscribed with it.
if (kept()) subscribe().catch(({ name }) => name === "NotAllowedError" && remember(localStorage, KEY, null));

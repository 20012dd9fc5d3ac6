// Taking one's whole memory along as a file, and taking such a file in.

import { announce, ask, data, make, say, whoami } from "../shared/common.js";

const FILE = "siliconfriend.json";
const asked = (more = {}) => ({ person: whoami(), companion: data.companion, ...more });

let place = null;
let notice = null;

async function guarded(act) {
  try {
    await act();
  } catch (error) {
    notice.textContent = error.told?.message ?? say("web_panels.unreachable");
  }
}

async function save(form) {
  const told = await ask("./memories/export", { query: asked({ form }) });
  const words = new Blob([JSON.stringify(told, null, 2)], { type: "application/json" });
  const link = make("a", { href: URL.createObjectURL(words), download: FILE });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function takeIn(file) {
  const { told } = await ask("./memories/import", { method: "POST", query: asked(), body: file });
  notice.textContent = told;
  announce("sf:memories", { act: "import", ids: [] });
}

function saving(form, label) {
  return make("button", { type: "button", id: `export-${form}`, className: "sf-button", textContent: say(label), onclick: () => guarded(() => save(form)) });
}

function choosing() {
  const input = make("input", {
    type: "file",
    accept: ".json",
    id: "import",
    className: "sf-hidden",
    onchange: () => {
      const [file] = input.files;
      input.value = "";
      if (file) guarded(() => takeIn(file));
    },
  });
  return make("label", { className: "sf-button sf-file" }, input, make("span", { textContent: say("web.import") }));
}

function draw() {
  place = document.getElementById("carrying");
  if (!place) return;
  notice = make("p", { id: "import-export-notice", className: "sf-quiet", role: "status" });
  place.replaceChildren(
    make("h3", { textContent: say("web.import_export") }),
    make("p", { textContent: say("web.import_export_about") }),
    make("div", { className: "sf-buttons" }, saving("bank", "web.export_bank"), saving("native", "web.export_native"), choosing()),
    notice,
  );
}

for (const name of ["sf:person", "sf:language", "sf:place"]) document.addEventListener(name, draw);
draw();

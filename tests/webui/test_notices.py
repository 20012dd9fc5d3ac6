"""Notices of due matters: who gets one, what is in it, and where none may be sent."""

import base64
import json
import socket
import threading
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from playwright.sync_api import expect

from siliconfriend.errors import ConfigurationError
from siliconfriend.testing import MovingClock
from tests.waiting import until
from tests.webui.conftest import DESKTOP, Open, Serve, Tab
from webui import notices
from webui.notices import Notices

HOST = "push.example"
ENDPOINT = f"https://{HOST}/send/one"
REMINDER = "Remind me on 23 November to call the plumber Zanzifrax."
OPERATOR: dict[str, Any] = {"notices": "operator@example.org"}


POINT = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
BROWSER, SECRET = ec.generate_private_key(ec.SECP256R1()), b"a secret of 16 B"


def make_keys() -> dict[str, str]:
    """Return the keys of a browser's subscription."""
    keys = {"p256dh": BROWSER.public_key().public_bytes(*POINT), "auth": SECRET}
    return {name: base64.urlsafe_b64encode(key).decode().rstrip("=") for name, key in keys.items()}


def decrypted(body: bytes) -> Any:
    """Return what a notice says, as the browser decrypts it (RFC 8188 and 8291)."""
    salt, sender, sealed = body[:16], body[21 : 21 + body[20]], body[21 + body[20] :]
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
    both = BROWSER.public_key().public_bytes(*POINT) + sender

    def derive(length: int, by: bytes, info: bytes, secret: bytes) -> bytes:
        return HKDF(hashes.SHA256(), length, by, info).derive(secret)

    shared = derive(32, SECRET, b"WebPush: info\0" + both, BROWSER.exchange(ec.ECDH(), peer))
    key = derive(16, salt, b"Content-Encoding: aes128gcm\0", shared)
    nonce = derive(12, salt, b"Content-Encoding: nonce\0", shared)
    return json.loads(AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")[:-1])


def claims(authorization: str, key: str) -> Any:
    """Return what a request claims, whose signature is checked with the page's key (RFC 8292)."""

    def raw(written: str) -> bytes:
        return base64.urlsafe_b64decode(written + "=" * (-len(written) % 4))

    signed, _, signature = authorization.removeprefix("vapid t=").split(",")[0].rpartition(".")
    r, s = (int.from_bytes(raw(signature)[at : at + 32], "big") for at in (0, 32))
    signer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key))
    signer.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(raw(signed.split(".")[1]))


@dataclass
class PushService:
    """A push service, which answers with a status.

    Attributes:
        got: the requests that came.
        told: what each notice said before it was encrypted.
    """

    status: int = 201
    got: list[httpx2.Request] = field(default_factory=list)
    told: list[dict[str, str]] = field(default_factory=list)

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """Take a notice."""
        self.got.append(request)
        return httpx2.Response(self.status)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> PushService:
    """A push service in the place of the network, whose name leads to a public address."""
    made, encrypt = PushService(), Notices._encrypt
    client = httpx2.Client(transport=httpx2.MockTransport(made.answer))

    def listen(self: Notices, to: Any, words: dict[str, str]) -> Any:
        made.told += [words] if words else []
        return encrypt(self, to, words)

    own = {**vars(httpx2), "Client": lambda **_: client}
    monkeypatch.setattr(notices, "httpx2", SimpleNamespace(**own))
    monkeypatch.setattr(Notices, "_encrypt", listen)
    lead(monkeypatch, **{HOST: "8.8.4.4"})
    return made


def lead(patch: pytest.MonkeyPatch, **names: str) -> None:
    """Let names lead to addresses; an address leads to itself."""

    def find(host: str, *_: object, **__: object) -> list[Any]:
        return [(0, 0, 0, "", (names.get(host, host), 0))]

    patch.setattr(notices, "socket", SimpleNamespace(**{**vars(socket), "getaddrinfo": find}))


def subscribe(tab: Tab, endpoint: str, keys: dict[str, str]) -> Any:
    """Ask for notices as a tab's browser does."""
    asked = {"person": tab.person, "endpoint": endpoint, "keys": keys}
    return tab.http.post("/notices", json=asked)


def look(tab: Tab) -> None:
    """Let the page look for due matters."""
    assert tab.backend.notices
    tab.backend.notices.send_due()


def kept(tab: Tab) -> list[str]:
    """Return whose browsers are stored."""
    return [each.scope.person for each in tab.backend.installation.subscriptions.all()]


@pytest.fixture
def subscribed(open_tab: Open, service: PushService, clock: MovingClock) -> Tab:
    """Ada's tab, whose browser gets notices, two days after she asked for a reminder."""
    tab = open_tab(**OPERATOR)
    tab.visit.person.add(REMINDER, "I will.")
    assert subscribe(tab, ENDPOINT, make_keys()).json() == {}
    clock.move(days=2)
    return tab


def test_a_due_matter_is_announced_once_and_without_its_words(
    subscribed: Tab, service: PushService, clock: MovingClock
) -> None:
    """The notice is encrypted, signed with the page's key, and sent to the address checked."""
    assert subscribed.backend.notices
    look(subscribed)
    look(subscribed)
    (request,), (told,) = service.got, service.told
    assert told["title"] == "SiliconFriend"
    assert told["body"] == "Something you told me about is due today."
    assert told["url"] == "./?companion=default#/chat"
    for word in ("plumber", "Zanzifrax", "Ada"):
        assert word not in json.dumps(told)
    assert request.headers["content-encoding"] == "aes128gcm"
    assert b"SiliconFriend" not in request.content
    assert decrypted(request.content) == told
    claimed = claims(request.headers["authorization"], subscribed.backend.notices.key)
    assert (claimed["aud"], claimed["sub"]) == (f"https://{HOST}", "mailto:operator@example.org")
    assert (request.url.host, request.headers["host"]) == ("8.8.4.4", HOST)
    assert request.extensions["sni_hostname"] == HOST
    assert request.headers["authorization"].endswith(f", k={subscribed.backend.notices.key}")
    clock.move(days=1)
    look(subscribed)
    assert len(service.got) == 2, "what was missed is announced on the next day"


def test_nothing_is_sent_at_night_or_where_nothing_is_due(
    open_tab: Open, service: PushService, clock: MovingClock
) -> None:
    tab = open_tab(**OPERATOR)
    tab.visit.person.add(REMINDER, "I will.", timezone="Europe/London")
    subscribe(tab, ENDPOINT, make_keys())
    look(tab)
    clock.move(days=1, hours=20)  # five in the morning
    look(tab)
    assert service.got == []
    clock.move(hours=4)
    look(tab)
    assert len(service.got) == 1


@pytest.mark.parametrize(
    ("status", "times", "is_kept"),
    [(410, 1, False), (404, 1, False), (503, 2, True), (429, 2, True), (403, 1, True)],
)
def test_a_refusal_ends_the_subscription_or_is_tried_again(
    subscribed: Tab, service: PushService, status: int, times: int, is_kept: bool
) -> None:
    tab = subscribed
    service.status = status
    look(tab)
    look(tab)
    assert len(service.got) == times
    assert kept(tab) == ["Ada"] * is_kept


def test_a_slow_push_service_keeps_nobody_from_a_notice(
    subscribed: Tab, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer is read when it comes at last."""
    may_answer, answer = threading.Event(), service.answer
    monkeypatch.setattr(notices, "PATIENCE_SECONDS", 0.1)

    def answered(request: httpx2.Request) -> httpx2.Response:
        is_slow = request.url.path == "/send/one"
        return answer(request) if not is_slow or may_answer.wait(20) else httpx2.Response(500)

    assert subscribed.backend.notices
    client = httpx2.Client(transport=httpx2.MockTransport(answered))
    monkeypatch.setattr(subscribed.backend.notices, "client", client)
    subscribe(subscribed, f"https://{HOST}/send/two", make_keys())
    look(subscribed)
    assert [each.url.path for each in service.got] == ["/send/two"]
    service.status = 410
    may_answer.set()
    until(lambda: kept(subscribed) == ["Ada"])


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://8.8.8.8/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://name:word@8.8.8.8/",
        "none",
    ],
)
def test_no_notice_is_sent_to_an_address_that_is_not_public(
    open_tab: Open, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    lead(monkeypatch, localhost="127.0.0.1")
    tab = open_tab(**OPERATOR)
    answer = subscribe(tab, endpoint, make_keys())
    assert answer.status_code == 409
    assert "public https address" in answer.json()["message"]
    assert kept(tab) == []


def test_a_name_that_led_elsewhere_later_gets_nothing(
    subscribed: Tab, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead(monkeypatch, **{HOST: "10.0.0.1"})
    look(subscribed)
    assert service.got == []


def test_a_failed_look_is_not_the_last(subscribed: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a database is away for a while."""
    page, looks = subscribed.backend.notices, list[int]()
    assert page

    def fail(*_: object) -> None:
        looks.append(1)
        if len(looks) == 2:
            page.close()
        raise OSError

    monkeypatch.setattr(notices, "EVERY_SECONDS", 0)
    monkeypatch.setattr(page, "send_due", fail)
    page.start()
    assert page._closing.wait(20)


def test_keys_that_are_none_are_refused(open_tab: Open) -> None:
    tab = open_tab(**OPERATOR)
    for keys in ({}, {"p256dh": "AAAA", "auth": "AAAA"}, {**make_keys(), "p256dh": "ä"}):
        assert subscribe(tab, "https://8.8.8.8/", keys).status_code == 409
    assert kept(tab) == []


def test_a_subscription_belongs_to_who_uses_the_browser(
    subscribed: Tab, service: PushService
) -> None:
    """Another person takes it over, a page of somebody else changes nothing, and a log-out ends it."""
    tab = subscribed
    address = {"person": "Ben", "endpoint": ENDPOINT}
    assert tab.http.request("DELETE", "/notices", json=address).status_code == 409
    assert kept(tab) == ["Ada"]
    ben = Tab(tab.backend, tab.http, "Ben")
    tab.http.cookies.set("sf-name", "Ben")
    subscribe(ben, ENDPOINT, make_keys())
    assert kept(tab) == ["Ben"]
    tab.http.post("/logout", data={"endpoint": ENDPOINT})
    assert kept(tab) == []


def test_a_person_without_a_memory_is_forgotten_here_too(
    subscribed: Tab, service: PushService
) -> None:
    tab = subscribed
    tab.backend.bank.delete("Ada")
    assert kept(tab) == []
    look(tab)
    assert service.got == []


def test_eight_browsers_of_a_person_are_kept(open_tab: Open, service: PushService) -> None:
    tab, keys = open_tab(**OPERATOR), make_keys()
    for number in range(9):
        subscribe(tab, f"https://{HOST}/{number}", keys)
    left = {each.endpoint[-1] for each in tab.backend.installation.subscriptions.all()}
    assert left == set("12345678")


def test_a_page_without_a_contact_offers_no_notices(open_tab: Open) -> None:
    tab = open_tab()
    assert subscribe(tab, "https://8.8.8.8/", make_keys()).status_code == 409
    event = {"person": "Ada", "event": "click", "act": "open", "live": {}}
    told = tab.http.post("/views/you", data={"event": json.dumps(event)}).text
    assert "sf-notices" not in told


GRANTED = """keys => {
  const made = { endpoint: keys.endpoint, options: { applicationServerKey: new Uint8Array() }, unsubscribe: async () => true,
    toJSON: () => keys };
  let now = null;
  PushManager.prototype.getSubscription = async () => now;
  PushManager.prototype.subscribe = async () => (now = made);
}"""


def test_the_switch_asks_the_browser_subscribes_and_the_worker_shows_the_notice(
    serve: Serve, service: PushService
) -> None:
    served = serve(**OPERATOR)
    page = served.begin("Nora", **DESKTOP)
    page.click("#sf-who")
    page.click("sf-notices label")
    expect(page.locator("sf-notices [role=status]")).to_contain_text("does not allow notices")
    expect(page.locator("sf-notices input[type=checkbox]")).not_to_be_checked()
    page.context.grant_permissions(["notifications"])
    page.reload()
    page.evaluate(GRANTED, {"endpoint": ENDPOINT, "keys": make_keys()})
    stored = served.bank.installation.subscriptions
    page.click("#sf-who")
    with page.expect_response("**/notices*") as answered:
        page.check("sf-notices input[type=checkbox]")
    assert answered.value.ok
    assert [each.scope.person for each in stored.all()] == ["Nora"]
    expect(page.locator("sf-notices input[name=endpoint]")).to_have_value(ENDPOINT)
    with page.expect_response("**/notices*"):
        page.uncheck("sf-notices input[type=checkbox]")
    assert stored.all() == []
    devtools = page.context.new_cdp_session(page)
    found: list[Any] = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda each: found.append(each))
    devtools.send("ServiceWorker.enable")
    page.wait_for_function(
        "navigator.serviceWorker.ready.then(each => each.active.state === 'activated')"
    )
    number = found[-1]["registrations"][0]["registrationId"]
    data = json.dumps({"title": "Friend", "body": "Due", "icon": "", "url": "./"})
    asked = {"origin": served.url.rstrip("/"), "registrationId": number, "data": data}
    devtools.send("ServiceWorker.deliverPushMessage", asked)
    page.wait_for_function(
        "navigator.serviceWorker.ready.then(each => each.getNotifications())"
        ".then(([each]) => each && each.title === 'Friend' && each.body === 'Due')"
    )


def test_an_operator_without_an_address_is_told(open_tab: Open) -> None:
    with pytest.raises(ConfigurationError, match="e-mail"):
        open_tab(notices="me")

"""Notices of due matters: who gets one, what is in it, and where none may be sent."""

import base64
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from playwright.sync_api import expect

from siliconfriend.errors import ConfigurationError
from siliconfriend.testing import MovingClock
from tests.webui.conftest import DESKTOP, PHONE, Open, Serve, Tab
from webui import notices

CURVE, HOST = ec.SECP256R1(), "push.example"
POINT = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
REMINDER = "Remind me on 23 November to call the plumber Zanzifrax."


def encode(data: bytes) -> str:
    """Encode as a browser encodes its keys."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Device:
    """A browser with its keys, which reads notices as RFC 8291 says."""

    def __init__(self) -> None:
        self._private, self._auth = ec.generate_private_key(CURVE), b"a secret of 16 B"
        self._public = self._private.public_key().public_bytes(*POINT)
        self.keys = {"p256dh": encode(self._public), "auth": encode(self._auth)}

    def read(self, body: bytes) -> Any:
        """Decrypt a notice."""
        salt, sender, sealed = body[:16], body[21 : 21 + body[20]], body[21 + body[20] :]
        other = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)

        def derive(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
            return HKDF(hashes.SHA256(), length, salt, info).derive(key)

        shared = self._private.exchange(ec.ECDH(), other)
        key = derive(shared, self._auth, b"WebPush: info\0" + self._public + sender, 32)
        cipher = AESGCM(derive(key, salt, b"Content-Encoding: aes128gcm\0", 16))
        nonce = derive(key, salt, b"Content-Encoding: nonce\0", 12)
        return json.loads(cipher.decrypt(nonce, sealed, None).rstrip(b"\2"))


@dataclass
class PushService:
    """A push service on this machine, which answers with a status.

    Attributes:
        got: the headers and the body of each notice.
    """

    status: int = 201
    port: int = 0
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def endpoint(self) -> str:
        """Address of a browser at this service."""
        return f"https://{HOST}:{self.port}/send/one"


def certificate(folder: Path) -> Path:
    """Write a key and a certificate for the service's host name."""
    key, now = ec.generate_private_key(CURVE), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8)
    path = folder / "service.pem"
    path.write_bytes(
        key.private_bytes(*form, serialization.NoEncryption())
        + made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    """A push service over https, whose name leads to this machine."""
    made = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            made.got.append(({key.lower(): each for key, each in self.headers.items()}, body))
            self.send_response(made.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    pem = certificate(tmp_path)
    context.load_cert_chain(pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    made.port = server.server_port
    trusts = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Not that of SSLContext itself, which tests replace.
    super(ssl.SSLContext, trusts).load_verify_locations(pem)
    trusting = httpx2.Client(verify=trusts, trust_env=False)
    own = {**vars(httpx2), "Client": lambda **_: trusting}
    monkeypatch.setattr(notices, "httpx2", SimpleNamespace(**own))
    monkeypatch.setattr(notices, "public_address", lambda _host: "127.0.0.1")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()
    trusting.close()


OPERATOR: dict[str, Any] = {"notices": "operator@example.org"}


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
def subscribed(open_tab: Open, service: PushService, clock: MovingClock) -> tuple[Tab, Device]:
    """Ada's tab, whose browser gets notices, two days after she asked for a reminder."""
    tab, device = open_tab(**OPERATOR), Device()
    tab.visit.person.add(REMINDER, "I will.")
    assert subscribe(tab, service.endpoint, device.keys).json() == {}
    clock.move(days=2)
    return tab, device


def test_a_due_matter_is_announced_once_and_without_its_words(
    subscribed: tuple[Tab, Device], service: PushService, clock: MovingClock
) -> None:
    """The notice is encrypted for one browser, and signed with the key that the page told it."""
    tab, device = subscribed
    assert tab.backend.notices
    look(tab)
    look(tab)
    ((headers, body),) = service.got
    told = device.read(body)
    assert told["title"] == "SiliconFriend"
    assert told["body"] == "Something you told me about is due today."
    assert told["url"] == "./?companion=default#/chat"
    for word in ("plumber", "Zanzifrax", "Ada"):
        assert word not in json.dumps(told)
    assert b"SiliconFriend" not in body
    assert headers["host"].startswith(HOST)
    token, key = headers["authorization"].removeprefix("vapid t=").split(", k=")
    assert key == tab.backend.notices.key
    public = ec.EllipticCurvePublicKey.from_encoded_point(
        CURVE, base64.urlsafe_b64decode(f"{key}==")
    )
    claims = jwt.decode(token, public, ["ES256"], audience=f"https://{HOST}")
    assert claims["sub"] == "mailto:operator@example.org"
    clock.move(days=1)
    look(tab)
    assert len(service.got) == 2, "what was missed is announced on the next day"


def test_nothing_is_sent_at_night_or_where_nothing_is_due(
    open_tab: Open, service: PushService, clock: MovingClock
) -> None:
    tab, device = open_tab(**OPERATOR), Device()
    tab.visit.person.add(REMINDER, "I will.", timezone="Europe/London")
    subscribe(tab, service.endpoint, device.keys)
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
    subscribed: tuple[Tab, Device], service: PushService, status: int, times: int, is_kept: bool
) -> None:
    tab, _ = subscribed
    service.status = status
    look(tab)
    look(tab)
    assert len(service.got) == times
    assert kept(tab) == ["Ada"] * is_kept


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://8.8.8.8/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://name:word@8.8.8.8/",
        "https://",
        "ftp:///",
        "none",
    ],
)
def test_no_notice_is_sent_to_an_address_that_is_not_public(
    open_tab: Open, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    lead(monkeypatch, localhost="127.0.0.1")
    tab = open_tab(**OPERATOR)
    answer = subscribe(tab, endpoint, Device().keys)
    assert answer.status_code == 409
    assert "public https address" in answer.json()["message"]
    assert kept(tab) == []


def test_a_name_that_led_elsewhere_later_gets_nothing(
    subscribed: tuple[Tab, Device], service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    lead(monkeypatch, **{HOST: "10.0.0.1"})
    look(subscribed[0])
    assert service.got == []


def test_keys_that_are_none_are_refused(open_tab: Open) -> None:
    tab = open_tab(**OPERATOR)
    for keys in ({}, {"p256dh": "AAAA", "auth": "AAAA"}, {**Device().keys, "p256dh": "ä"}):
        assert subscribe(tab, "https://8.8.8.8/", keys).status_code == 409
    assert kept(tab) == []


def test_a_subscription_belongs_to_who_uses_the_browser(
    subscribed: tuple[Tab, Device], service: PushService
) -> None:
    """Another person takes it over, a page of somebody else changes nothing, and a log-out ends it."""
    tab, device = subscribed
    address = {"person": "Ben", "endpoint": service.endpoint}
    assert tab.http.request("DELETE", "/notices", json=address).status_code == 409
    assert kept(tab) == ["Ada"]
    ben = Tab(tab.backend, tab.http, "Ben")
    tab.http.cookies.set("sf-name", "Ben")
    subscribe(ben, service.endpoint, device.keys)
    assert kept(tab) == ["Ben"]
    tab.http.post("/logout", data={"endpoint": service.endpoint})
    assert kept(tab) == []


def test_a_person_without_a_memory_is_forgotten_here_too(
    subscribed: tuple[Tab, Device], service: PushService
) -> None:
    tab, _ = subscribed
    tab.backend.bank.delete("Ada")
    assert kept(tab) == []
    look(tab)
    assert service.got == []


def test_eight_browsers_of_a_person_are_kept(open_tab: Open, service: PushService) -> None:
    tab, keys = open_tab(**OPERATOR), Device().keys
    for number in range(9):
        subscribe(tab, f"https://{HOST}/{number}", keys)
    left = {each.endpoint[-1] for each in tab.backend.installation.subscriptions.all()}
    assert left == set("12345678")


def test_a_page_without_a_contact_offers_no_notices(open_tab: Open) -> None:
    tab = open_tab()
    assert subscribe(tab, "https://8.8.8.8/", Device().keys).status_code == 409
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


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_the_switch_says_that_the_browser_refuses(serve: Serve, size: dict[str, Any]) -> None:
    page = serve(**OPERATOR).begin("Nora", **size)
    page.click("#sf-who")
    page.click("sf-notices label")
    told = "浏览器不允许" if size is PHONE else "does not allow notices"
    expect(page.locator("sf-notices [role=status]")).to_contain_text(told)
    expect(page.locator("sf-notices input[type=checkbox]")).not_to_be_checked()


def test_the_switch_subscribes_and_the_worker_shows_the_notice(
    serve: Serve, service: PushService
) -> None:
    served = serve(**OPERATOR)
    page = served.begin("Nora", **DESKTOP)
    page.context.grant_permissions(["notifications"])
    page.reload()
    page.evaluate(GRANTED, {"endpoint": service.endpoint, "keys": Device().keys})
    stored = served.bank.installation.subscriptions
    page.click("#sf-who")
    with page.expect_response("**/notices*") as answered:
        page.check("sf-notices input[type=checkbox]")
    assert answered.value.ok
    assert [each.scope.person for each in stored.all()] == ["Nora"]
    expect(page.locator("sf-notices input[name=endpoint]")).to_have_value(service.endpoint)
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

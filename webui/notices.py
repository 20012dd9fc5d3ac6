"""Send notices of due matters to browsers by Web Push, where the operator set a contact address.

A notice holds the companion's name and one sentence, no words of the memory. It is encrypted for
the browser (RFC 8291), so the push service reads neither.
"""

import logging
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlencode

import httpx2

from siliconfriend.characters.companions import companion_name
from siliconfriend.errors import ConfigurationError, SiliconFriendError, UsageError
from siliconfriend.installation.installation import Installation
from siliconfriend.installation.subscriptions import Subscription
from siliconfriend.memory.scope import Scope
from siliconfriend.person.bank import MemoryBank

from .rendering import address
from .words import say

EVERY_SECONDS = 600.0
"""Seconds between two looks at what is due."""
USUAL_HOURS = "08:00-22:00"
"""Hours of the person's day in which a notice is sent, unless ``speaks_first`` names others."""
PATIENCE_SECONDS = 15.0
"""Seconds to wait for a push service before the next notice is sent; its answer is read later."""
EXPIRES_SECONDS = 12 * 3600
"""Seconds for which a push service keeps a notice for a device that is off."""
GONE = (404, 410)
"""Status codes for a subscription that no longer exists."""


class Notices:
    """Sends each subscribed browser at most one notice a day."""

    def __init__(self, bank: Callable[[], MemoryBank], installation: Installation, contact: str):
        if "@" not in contact:
            raise ConfigurationError("push_contact", contact=contact)
        self._bank, self._contact = bank, contact
        self.subscriptions = installation.subscriptions
        self.client = httpx2.Client(timeout=10.0, trust_env=False)
        self._closing = threading.Event()

    @cached_property
    def _webpush(self) -> Any:
        try:
            from webpush import WebPush
            from webpush.vapid import VAPID
        except ImportError as error:
            raise ConfigurationError("push_package") from error

        def draw() -> tuple[str, str]:
            private, public, _ = VAPID.generate_keys()
            return private.decode(), public.decode()

        keys = self.subscriptions.signing_keys(draw)
        private, public = (key.encode() for key in keys)
        return WebPush(private, public, self._contact, EXPIRES_SECONDS)

    @cached_property
    def key(self) -> str:
        """The public key (base64url) to which a browser binds its subscription."""
        vapid = self._webpush.vapid
        return str(vapid.get_application_server_key(vapid.public_key))

    def start(self) -> None:
        """Begin to look for due matters in a thread."""

        def run() -> None:
            while not self._closing.wait(EVERY_SECONDS):
                try:
                    self.send_due()
                except Exception as error:  # such as a database that is away for a while
                    logging.getLogger(__name__).warning("no notices: %s", type(error).__name__)

        _ = self.key  # fails here without the package
        threading.Thread(target=run, name="page notices", daemon=True).start()

    def close(self) -> None:
        """End the thread."""
        self._closing.set()

    def subscribe(self, scope: Scope, endpoint: str, p256dh: str, auth: str) -> None:
        """Store a browser's subscription.

        Raises:
            UsageError: its endpoint is not a public https address, or its keys are invalid.
        """
        url = httpx2.URL(endpoint)
        new = Subscription(scope, endpoint, p256dh, auth)
        try:
            self._encrypt(new, {})
        except ValueError as error:
            raise UsageError("push_endpoint") from error
        if url.scheme != "https" or url.userinfo:
            raise UsageError("push_endpoint")
        public_address(url.host)
        self.subscriptions.add(new)

    def send_due(self) -> None:
        """Send a notice for each person with a due matter who was not notified today."""
        for each in self.subscriptions.all():
            with suppress(SiliconFriendError):  # e.g. an encrypted memory without its passphrase
                self._send_if_due(each)

    def _send_if_due(self, to: Subscription) -> None:
        bank, endpoint = self._bank(), to.endpoint
        person = bank.person(to.scope.person, to.scope.companion)
        if not person.is_known():
            self.subscriptions.remove(to.scope.person, endpoint)
            return
        memory = person.memory()
        now = person.now().astimezone(memory.profile.zone)
        day, hours = now.date().isoformat(), bank.settings
        if hours.speaks_first == "no":
            hours = replace(hours, speaks_first=USUAL_HOURS)
        if to.told == day or hours.is_quiet(now.time()):
            return
        due = person.due(hello=False, unasked=False, returns=True).matters
        is_due = any(one.is_reminder or one.when in ("today", "anniversary") for one in due)
        if is_due and self.subscriptions.claim(endpoint, day):
            language = memory.profile.language
            words = {
                "title": companion_name(bank.settings, to.scope.companion, language),
                "body": say("notices.due", language),
                "icon": address("icon-192.png"),
                "url": f"./?{urlencode({'companion': to.scope.companion})}#/chat",
            }
            sending = threading.Thread(target=self._send, args=(to, words), daemon=True)
            sending.start()
            sending.join(PATIENCE_SECONDS)

    def _send(self, to: Subscription, words: dict[str, str]) -> None:
        try:
            status = self._post(to, words)
        except (httpx2.HTTPError, UsageError):
            status = 503
        if status in GONE:
            self.subscriptions.remove(to.scope.person, to.endpoint)
        elif status == 429 or status >= 500:
            self.subscriptions.release(to.endpoint)
        elif status >= 300:
            host = httpx2.URL(to.endpoint).host
            logging.getLogger(__name__).warning("%s refused a notice: %d", host, status)

    def _post(self, to: Subscription, words: dict[str, str]) -> int:
        """Post to the address that was checked, so that a name cannot change it meanwhile."""
        url, made = httpx2.URL(to.endpoint), self._encrypt(to, words)
        headers = {**made.headers, "host": url.netloc.decode("ascii")}
        pinned = url.copy_with(host=public_address(url.host))
        how: dict[str, Any] = {"content": made.encrypted, "headers": headers}
        how["extensions"] = {"sni_hostname": url.host}
        with self.client.stream("POST", pinned, **how) as answer:
            return int(answer.status_code)

    def _encrypt(self, to: Subscription, words: dict[str, str]) -> Any:
        from webpush import WebPushSubscription

        keys = {"p256dh": to.p256dh, "auth": to.auth}
        subscription = WebPushSubscription(endpoint=to.endpoint, keys=keys)
        return self._webpush.get(words, subscription)


def public_address(host: str) -> str:
    """Resolve a host, and return its first address.

    Raises:
        UsageError: it is unknown, or one of its addresses is not on the public internet.
    """
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
        addresses = [ip_address(place[0]) for *_, place in found]
    except (OSError, ValueError) as error:
        raise UsageError("push_endpoint") from error
    if not addresses or any(not one.is_global or one.is_multicast for one in addresses):
        raise UsageError("push_endpoint")
    return str(addresses[0])

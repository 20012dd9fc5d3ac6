"""The talk in a prompt: its newest exchanges that fit, each written once.

What a prompt held of a talk, the next prompt holds too, so that its beginning stays the same and
little is written for each message. Where room is short, all of the talk but its newest exchange first
loses the memories recalled for it, so that this happens seldom; then the older half is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from siliconfriend.dialogue.chat_history import Exchange
from siliconfriend.dialogue.message_writer import MessageWriter
from siliconfriend.models.tokens import MESSAGE_TOKENS, estimate_tokens


@dataclass(slots=True)
class WrittenTalk:
    """The exchanges of a talk, with the messages written for the newest of them.

    Attributes:
        begin: returns a writer for a prompt that holds nothing of the talk yet.
        frame: what all messages depend on; a talk with another frame is written anew.
        exchanges: the talk so far, oldest first.
        dropped, plain: number of first exchanges without a message, and without memories.
        messages, costs: of the other exchanges; the costs are in tokens, with the replies.
        sources: the memories of each exchange as they were when its message was written.
    """

    begin: Callable[[], MessageWriter]
    frame: object
    writer: MessageWriter = field(init=False)
    exchanges: list[Exchange] = field(default_factory=list)
    dropped: int = 0
    plain: int = 0
    messages: list[str] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    sources: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.writer = self.begin()

    @property
    def shown(self) -> Sequence[Exchange]:
        """The exchanges that have a message."""
        return self.exchanges[self.dropped :]

    def resume(self, before: WrittenTalk | None, talk: Sequence[Exchange]) -> None:
        """Take over what an earlier prompt held, if ``talk`` goes on from there unchanged."""
        if before is None or before.frame != self.frame:
            return
        number = len(before.exchanges)
        if before.exchanges != [*talk[:number]]:
            return
        if [self._sources(exchange) for exchange in before.shown] != before.sources:
            return
        self.exchanges, self.messages = [*before.exchanges], [*before.messages]
        self.costs, self.sources = [*before.costs], [*before.sources]
        self.dropped, self.plain = before.dropped, before.plain
        self.writer.shown |= before.writer.shown
        self.writer.memories += before.writer.memories

    def append(self, exchange: Exchange, *, is_plain: bool = False) -> None:
        """Write the message of the next exchange."""
        if exchange.id:
            self.writer.shown[exchange.id] = exchange.response
        written = self.writer.write(replace(exchange, used=()) if is_plain else exchange)
        self.exchanges.append(exchange)
        self.messages.append(written)
        both = (written, exchange.response)
        self.costs.append(sum(estimate_tokens(words) + MESSAGE_TOKENS for words in both))
        self.sources.append(self._sources(exchange))

    def fit(self, room: int) -> None:
        """Shorten the talk until it takes at most ``room`` tokens."""
        while self.dropped < (number := len(self.exchanges)) and sum(self.costs) > room:
            if self.plain < number:
                self.plain = max(number - 1, self.plain + 1)
            else:
                self.dropped = number - (number - self.dropped) // 2
            self._write_again()

    def _write_again(self) -> None:
        talk, self.writer = self.exchanges, self.begin()
        self.exchanges, self.messages, self.costs, self.sources = talk[: self.dropped], [], [], []
        shown = talk[self.dropped :]
        self.writer.shown |= {exchange.id: exchange.response for exchange in shown if exchange.id}
        for number, exchange in enumerate(shown, start=self.dropped):
            self.append(exchange, is_plain=number < self.plain)

    def _sources(self, exchange: Exchange) -> object:
        """Return what the message of an exchange is written from, besides the exchange."""
        found = map(self.writer.find, (used.id for used in exchange.used))
        return tuple(memory and self.writer.lines.sources(memory) for memory in found)

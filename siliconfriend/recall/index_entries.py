"""What an index needs of each text: taken from the cache, or made and kept there.

Whatever is made without asking the cache first is embedded twice, and what is not kept there is
embedded again by every process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from siliconfriend.language.tokenizer import tokenize
from siliconfriend.recall.documents import Document
from siliconfriend.recall.embedders.base import Embedder
from siliconfriend.recall.index_cache import Entry, IndexCache, Vector
from siliconfriend.recall.spoken_times import SpokenTime, spoken_key, spoken_times


class IndexEntries:
    """Makes the entries of one scope's index.

    Args:
        embedder: None for words alone.
        cache: of the scope, stamped with this embedder.
    """

    def __init__(self, embedder: Embedder | None, cache: IndexCache) -> None:
        self._embedder = embedder
        self._cache = cache

    def make(
        self, texts: Mapping[str, str], of_rows: Mapping[str, Entry]
    ) -> tuple[dict[str, Entry], int]:
        """Words and vector of each text, and how many of them had to be embedded.

        Args:
            texts: by digest.
            of_rows: what rows with the same text have, by digest; the cache has that too.

        Raises:
            ModelUnavailable: the embedder is a service that failed.
        """
        cached = self._cache.find([digest for digest in texts if digest not in of_rows])
        known = {
            digest: self._validated(of_rows.get(digest) or cached.get(digest, Entry(None, None)))
            for digest in texts
        }
        vectors = self._embed_missing(texts, known)
        whole = {
            digest: Entry(
                tuple(tokenize(texts[digest])) if entry.words is None else entry.words,
                vectors.get(digest, entry.vector),
            )
            for digest, entry in known.items()
        }
        self._cache.add(
            {
                digest: whole[digest]
                for digest, entry in known.items()
                if digest not in of_rows and (entry.words is None or digest in vectors)
            }
        )
        return whole, len(vectors)

    def times(
        self, batch: Sequence[Document], zone: ZoneInfo
    ) -> list[tuple[str, tuple[SpokenTime, ...]]]:
        """The key of each and the days it speaks of, from the cache or read from its words."""
        keys = [spoken_key(it.memory, it.digest, zone) for it in batch]
        known = self._cache.find_times(keys)
        read = {
            key: spoken_times(document.memory, zone)
            for key, document in zip(keys, batch, strict=True)
            if key not in known
        }
        self._cache.add_times(read)
        return [(key, known[key] if key in known else read[key]) for key in keys]

    def _embed_missing(
        self, texts: Mapping[str, str], entries: Mapping[str, Entry]
    ) -> dict[str, Vector]:
        """Embed the texts whose entries have no vector; by digest."""
        missing = [digest for digest, entry in entries.items() if entry.vector is None]
        if self._embedder is None or not missing:
            return {}
        made = self._embedder.passages([texts[digest] for digest in missing])
        return dict(zip(missing, made, strict=True))

    def _validated(self, entry: Entry) -> Entry:
        """The entry without a vector that cannot be one of the embedder's."""
        if entry.vector is None or self._embedder is None:
            return Entry(entry.words, None)
        return entry if len(entry.vector) == self._embedder.dimension else Entry(entry.words, None)

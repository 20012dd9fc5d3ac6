"""Functions on texts in Chinese, English or both; memories are unknown here.

- :mod:`~siliconfriend.language.characters`: fold a text, detect its language.
- :mod:`~siliconfriend.language.sentences`: split a text into sentences, find questions.
- :mod:`~siliconfriend.language.tokenizer`: tokenize a text for the index and for a search.
- :mod:`~siliconfriend.language.words`: extract keywords, compare texts loosely.
- :mod:`~siliconfriend.language.numbers`: parse numbers in digits and words.
- :mod:`~siliconfriend.language.dictionary`: look up the English meanings of a Chinese word.
- :mod:`~siliconfriend.language.word_lists`: load stop words and patterns, data of ``texts``.
- :mod:`~siliconfriend.language.moods`, :mod:`~siliconfriend.language.self_harm`: find words of
  mood and of danger.
- :mod:`~siliconfriend.language.lookalikes`: fold characters that look alike.

All packages use these functions: two tokenizers that differ would index a memory under one form
of a word and search it under another.
"""

"""Functions on text alone, in Chinese, English and both mixed; nothing here knows of memories.

- :mod:`~siliconfriend.language.characters`: fold a text, tell Chinese from English.
- :mod:`~siliconfriend.language.sentences`: split a text into sentences, find questions.
- :mod:`~siliconfriend.language.tokenizer`: tokenize a text as it is indexed and searched.
- :mod:`~siliconfriend.language.words`: extract the words that say what a text is about.
- :mod:`~siliconfriend.language.words`: find what a sentence to be quoted is about.
- :mod:`~siliconfriend.language.words`: compare texts loosely, by pairs of characters.
- :mod:`~siliconfriend.language.numbers`: parse numbers in digits and words.
- :mod:`~siliconfriend.language.dictionary`: look up what a Chinese word means in English.
- :mod:`~siliconfriend.language.word_lists`: stop words and patterns, which are data in ``texts``.

Every other room takes these from here. Two tokenizers that differ by accident would store a
memory under one form of a word and look for it under another. Where two have to differ, both
are named functions over the same runs of characters (:func:`tokenizer.runs`).
"""

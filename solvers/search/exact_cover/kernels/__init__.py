"""The compiled search: over any number of words, over single words, and what images are."""

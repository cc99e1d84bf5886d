"""Corpora: documents of bytes with their split, and the readers of every input format."""

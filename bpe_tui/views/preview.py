"""The first rows of a large corpus, to look at while its pairs are still being counted."""

from dataclasses import replace

from bpe_tui.run import Run
from engine.corpus.document import Corpus, Document, Split
from engine.policy import Policy
from engine.trainer import Trainer

LARGE = 1_000_000
"""Sources of fewer bytes are open before anybody could read a preview."""
HEAD = 65_536


def preview(corpus: Corpus, policy: Policy) -> Run | None:
    """A run of its own over the first bytes of the training text, to look at rank 0; None for small corpora."""
    if corpus.source_bytes < LARGE:
        return None
    head: list[Document] = []
    room = HEAD
    for document in corpus.documents:
        if document.split is Split.TRAIN and room > 0:
            head.append(replace(document, data=bytes(document.data[:room])))
            room -= len(document.data)
    return Run.of(Trainer(replace(corpus, documents=tuple(head)), policy, kernel="python"))

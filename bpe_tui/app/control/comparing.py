"""Comparing: from the answer to a question to the screen that shows both lists."""

import os
from typing import TYPE_CHECKING

from bpe_tui.app.screens.compare import Compare
from bpe_tui.compare_sides import Told
from bpe_tui.comparison import MOST_ALIGNED, Compared, OwnRun, compare_with
from bpe_tui.text.cells import show_str
from bpe_tui.views.spelling import label
from engine.corpus.document import Corpus

if TYPE_CHECKING:
    from bpe_tui.app.explorer import Explorer


def compare(screen: "Explorer", name: str) -> None:
    """Compare what the run has learned with a profile, a policy line or a file."""
    if not name:
        return
    name = os.path.expanduser(name)

    def begin(own: object) -> None:
        assert isinstance(own, OwnRun)
        if not own.merges.pairs:
            screen.tell(label("no merge is known yet: step first, or go to the end with t"))
            return
        text = compared_text(screen, own.corpus)

        def work(told: Told) -> Compared:
            return compare_with(own, name, text, told, screen.request.memory_limit)

        screen.app.push_screen(Compare(show_str(name, prose=True), work, screen.desk.mode))

    screen.ask_worker("compare", lambda run: OwnRun.of(run.trainer), begin)


def compared_text(screen: "Explorer", corpus: Corpus) -> bytes:
    """The start of the held-out text that is looked at; of the stream's document where none is held out."""
    held_out, documents = screen.desk.held_out, corpus.held_out
    if held_out.text is not None:
        return held_out.text[:MOST_ALIGNED]
    if documents:
        return documents[held_out.document % len(documents)].data[:MOST_ALIGNED]
    return corpus.training[screen.desk.stream.document or 0].data[:MOST_ALIGNED] if corpus.training else b""

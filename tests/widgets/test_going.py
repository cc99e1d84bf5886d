"""An explorer that is not there yet, or not any more, hears keys, the worker and resizes without falling over."""

from pathlib import Path

from bpe_tui.app.explorer import Explorer
from bpe_tui.request import OpenRequest
from bpe_tui.worker import Done
from engine.corpus.open import CorpusOptions
from engine.limits import Limits
from engine.policy import Policy


def test_what_comes_before_the_panes_or_after_them_does_nothing(tmp_path: Path) -> None:
    explorer = Explorer(OpenRequest(str(tmp_path), None, False, CorpusOptions(), Policy(), Limits(), "auto"), keys={})
    explorer.is_open = True
    assert not explorer.has_panes
    explorer.action_run("app.quit")
    explorer.action_run("step.next")
    explorer.ask_view()
    explorer.panes_changed()
    explorer.on_explorer_said(Explorer.Said(explorer.worker, Done("save", None)))

"""Screens that close once, however hasty the keys."""

from typing import TYPE_CHECKING, Any

from textual.await_complete import AwaitComplete
from textual.screen import Screen

if TYPE_CHECKING:
    Base = Screen[Any]
else:
    Base = object  # a mixin: the framework takes styles and bindings from the first base that is a widget


class Once(Base):
    """A screen that may be asked to close again while it goes; the framework would close what lies below."""

    def dismiss(self, result: Any = None) -> AwaitComplete:  # noqa: ANN401 - as the framework has it
        """Close with a result, if this screen is still on top, and stop what it was about."""
        if not self.is_current:
            return AwaitComplete()
        self.app.workers.cancel_node(self)
        return super().dismiss(result)

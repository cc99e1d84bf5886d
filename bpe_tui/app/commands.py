"""The palette: every action by name, each with its key, and merges by rank."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from textual import on
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.events import Click, Event, Mount
from textual.widgets import Input, OptionList
from textual.worker import Worker

from bpe_tui.app.actions import ACTIONS, Action, keys_of
from bpe_tui.app.screens.once import Once

if TYPE_CHECKING:
    from bpe_tui.app.explorer import Explorer


class Palette(Once, CommandPalette):
    """The framework's palette, kept from its faults.

    It raises when it hears anything while it comes or goes, when a click was meant for a larger screen, and when a page
    key comes to a list that has no room; and two quick Enters run a command twice.
    """

    @on(Mount)
    @on(Click)
    @on(Input.Changed)
    @on(Input.Submitted)
    @on(OptionList.OptionSelected)
    def _only_while_there(self, event: Event) -> None:
        misses = isinstance(event, Click) and not self.region.contains(event.screen_x, event.screen_y)
        if misses or not self.is_current:
            event.stop()
            event.prevent_default()

    def run_worker(self, *args: Any, **options: Any) -> Worker[Any]:  # noqa: ANN401 - as the framework has it
        """Search; what is still searched when the palette goes fails, and must not take the program along."""
        return super().run_worker(*args, **{**options, "exit_on_error": False})

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No moving about in a list without room."""
        lists = self.query(CommandList)
        return action != "command_list" or any(listed.scrollable_content_region for listed in lists)


class Actions(Provider):
    """Offers the actions that can run now."""

    def _usable(self) -> list[Action]:
        return [a for a in ACTIONS if self._explorer.check_action("run", (a.id,)) and a.id != "app.palette"]

    @property
    def _explorer(self) -> "Explorer":
        return cast("Explorer", self.screen)

    def _title(self, action: Action) -> str:
        keys = keys_of(action, self._explorer.keys)
        return f"{action.group}: {action.words}" + (f"  ({keys[0].plain})" if keys else "")

    async def discover(self) -> Hits:
        """All of them."""
        for action in self._usable():
            title = self._title(action)
            yield DiscoveryHit(Content(title), self._command(action), text=title, help=action.help)

    async def search(self, query: str) -> Hits:
        """Those that match; a number is a rank to go to."""
        if query.strip().isascii() and query.strip().isdecimal():
            rank = int(query.strip()[:12])
            yield Hit(1.0, Content(f"step: go to rank {rank}"), lambda: self._explorer.travel.to(rank), text=query)
        matcher = self.matcher(query)
        for action in self._usable():
            title = self._title(action)
            score = max(matcher.match(title), 0.7 * matcher.match(action.help))
            if score > 0:
                yield Hit(score, Content(title), self._command(action), text=title, help=action.help)

    def _command(self, action: Action) -> Callable[[], None]:
        return lambda: self._explorer.action_run(action.id)

"""The user's settings: a TOML file in the user's configuration folder, refused in one line where it is wrong.

theme = "nord"            # any of the palette's themes
ascii = true              # draw printable ASCII only
strict_rtl = true         # escape right-to-left letters, for terminals that reorder lines
ambiguous_wide = true     # the terminal draws East Asian ambiguous characters two cells wide
mouse = false             # leave the mouse to the terminal

[keys]                    # action = "key,key"; docs/keys.md lists the actions
"step.next" = "right,n"
"""

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import platformdirs

from bpe_tui.app.actions import BY_ID
from bpe_tui.request import Appearance
from bpe_tui.text.glyphs import Look
from engine.errors import Refusal
from engine.files import read_file
from engine.quoting import quoted

MOST_BYTES = 1 << 14
"""Bytes of the largest settings file; a line for each action has 4,000. Dotted names cost the square of it."""
SWITCHES = ("ascii", "strict_rtl", "ambiguous_wide", "mouse")
_KINDS: Mapping[str, tuple[type, str]] = {"theme": (str, "a name"), "keys": (dict, "a table")}


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one run.

    Attributes:
        theme: a theme's name, or None for the default.
        look: what the terminal can be trusted with.
        mouse: whether the program takes the mouse.
        keys: for each action id, the keys that replace its own, separated by commas.
    """

    theme: str | None = None
    look: Look = field(default_factory=Look)
    mouse: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)

    def with_flags(self, flags: Appearance) -> "Config":
        """These settings with the command line's flags over them."""
        return replace(
            self,
            theme=flags.theme or self.theme,
            look=replace(self.look, ascii=self.look.ascii or flags.ascii),
            mouse=self.mouse and flags.mouse,
        )


def default_path() -> Path:
    """Where this user's settings are."""
    return platformdirs.user_config_path("bpe-tui") / "config.toml"


def load_config(path: Path | None = None) -> Config:
    """The settings of a file, by default the user's; the defaults where that file is not there.

    Raises:
        Refusal: naming the file, the setting and the way out.
    """
    path = path or default_path()
    if _is_absent(path):
        return Config()
    data = read_file(path, MOST_BYTES, "a settings file, or none", Refusal)
    try:
        return _config(tomllib.loads(data.decode()), path)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        raise Refusal(f"cannot read the settings in {quoted(str(path))}: {quoted(why)}; mend or remove it") from None


def _is_absent(path: Path) -> bool:
    try:
        path.stat()
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        pass  # reading says what is wrong
    return False


def _config(data: dict[str, object], path: Path) -> Config:
    where = quoted(str(path))
    for name, value in data.items():
        known = (*SWITCHES, "theme", "keys")
        if name not in known:
            raise Refusal(f"{where} has the unknown setting {quoted(name)}{_nearest(name, known)}")
        kind, words = _KINDS.get(name, (bool, "true or false"))
        if not isinstance(value, kind):
            raise Refusal(f"{where}: {name} is {quoted(value)}; it needs {words}")
    switches = {name: bool(data.get(name, name == "mouse")) for name in SWITCHES}
    mouse = switches.pop("mouse")
    theme = data.get("theme")
    return Config(str(theme) if theme is not None else None, Look(**switches), mouse, _keys(data, where))


def _keys(data: dict[str, object], where: str) -> dict[str, str]:
    table = data.get("keys", {})
    assert isinstance(table, dict)
    for action, keys in table.items():
        if action not in BY_ID:
            raise Refusal(f"{where}: [keys] names the unknown action {quoted(action)}{_nearest(action, tuple(BY_ID))}")
        if not isinstance(keys, str) or not all(keys.split(",")):
            raise Refusal(f'{where}: [keys] {action} is {quoted(keys)}; it needs keys such as "right,n"')
    return dict(table)


def _nearest(name: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {close[0]}?" if close else f"; known are {', '.join(known[:8])}"

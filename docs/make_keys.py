"""Write docs/keys.md, its tables from the registry of actions: `python docs/make_keys.py`. A test compares the two."""

from itertools import groupby
from pathlib import Path

from bpe_tui.app.actions import ACTIONS, Action, key_text

PAGE = Path(__file__).with_name("keys.md")
HEAD = """\
# Keys

Made by `docs/make_keys.py` from the program's registry of actions; `?` shows the same in the explorer. Actions without
a key are in the palette (`:`). Mouse: click a row, a token, a pane, the time line or a key hint; the wheel scrolls.
"""
TITLES = {
    "step": "Time",
    "pane": "Panes",
    "row": "Rows and tokens",
    "view": "Documents and display",
    "copy": "Copying",
    "session": "Sessions, encoding, export",
    "app": "Program",
}
SETTINGS = """
## Settings

Keys and looks of your own go into `config.toml` in your configuration folder: `~/.config/bpe-tui/` on Linux,
`~/Library/Application Support/bpe-tui/` on macOS. Every line is optional; a wrong one is refused, and the nearest right
one named. `--theme`, `--ascii` and `--no-mouse` go over the file.

```toml
theme = "nord"            # any theme of the palette
ascii = true              # draw printable ASCII only
strict_rtl = true         # escape right-to-left letters, for terminals that reorder lines
ambiguous_wide = true     # the terminal draws East Asian ambiguous characters two cells wide
mouse = false             # leave the mouse to the terminal

[keys]                    # an action's keys, in Textual's names, in place of its own
"step.next" = "right,n"
```
"""


def page() -> str:
    """The page as it should be."""
    parts = [HEAD]
    ordered = sorted(ACTIONS, key=lambda action: list(TITLES).index(action.group))
    for group, actions in groupby(ordered, key=lambda action: action.group):
        rows = "\n".join(map(_row, actions))
        parts.append(f"\n## {TITLES[group]}\n\n| keys | action | does |\n|---|---|---|\n{rows}\n")
    return "".join((*parts, SETTINGS))


def _row(action: Action) -> str:
    keys = " ".join(f"`{key_text(key).plain}`" for key in action.keys)
    return f"| {keys} | `{action.id}` | {action.help.replace('|', chr(92) + '|')} |"


if __name__ == "__main__":
    PAGE.write_text(page())

"""Small news: one line that stands over the key bar for a moment."""

from collections.abc import Iterator

from textual.reactive import reactive

from bpe_tui.app.widgets.one_line import OneLine
from bpe_tui.text.safe import EMPTY, SafeText


class News(OneLine):
    """Shows a few words; hidden while there is nothing to say."""

    DEFAULT_CSS = """
    News { display: none; text-style: bold; }
    """

    words: reactive[SafeText] = reactive(EMPTY, init=False)

    def parts(self, width: int) -> Iterator[tuple[SafeText, tuple[str, ...]]]:
        """The words."""
        yield SafeText.label(" ") + self.words.crop(width - 1), ()

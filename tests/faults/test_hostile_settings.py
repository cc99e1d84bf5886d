"""Settings that would take all time or memory are refused in one line."""

from pathlib import Path

import pytest

from bpe_tui.app.config import Config, load_config
from engine.errors import Refusal


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("theme = " + "[" * 500, "nested too deep"),
        ("theme = " + "{a = " * 500, "nested too deep"),
        (".".join("a" * 100_000) + " = 1", "it has more than 16384 bytes; give a settings file, or none"),
        (".".join("a" * 8_000) + " = 1", "config.toml' has the unknown setting 'a'"),
    ],
)
def test_they_are_refused(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(Refusal, match=why) as caught:
        load_config(path)
    assert "config.toml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_device_is_no_settings_file_and_none_is_needed(tmp_path: Path) -> None:
    assert load_config(tmp_path / "config.toml") == Config()
    (tmp_path / "config.toml").symlink_to("/dev/zero")
    with pytest.raises(Refusal, match="it is a device"):
        load_config(tmp_path / "config.toml")

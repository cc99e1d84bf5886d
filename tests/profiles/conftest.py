"""The texts that every trainer is held against."""

from pathlib import Path

import pytest

from .texts import TEXTS


@pytest.fixture(params=TEXTS)
def text(request: pytest.FixtureRequest) -> str:
    """Each of the three texts."""
    return TEXTS[request.param]()


@pytest.fixture
def file(text: str, tmp_path: Path) -> Path:
    """The text as a file of UTF-8, line ends as they are."""
    path = tmp_path / "text"
    path.write_bytes(text.encode())
    return path

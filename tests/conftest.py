"""Fixtures shared by all tests."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)  # no test has a wall-clock limit
settings.load_profile("unhurried")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def learn_llm() -> Path:
    """The course's published data, beside the checkout; tests that need it skip where it is absent."""
    folder = ROOT.parent / "shared" / "fixtures" / "learn_llm"
    if not folder.is_dir():
        pytest.skip("the course's published fixtures are not here")
    return folder

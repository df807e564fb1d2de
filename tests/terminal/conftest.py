"""A session of the game in a pseudo-terminal for each test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

if sys.platform == "win32":
    collect_ignore_glob = ["test_*.py"]
else:
    from tests.terminal.session import Session

    Starter = Callable[..., Session]

    @pytest.fixture
    def start(tmp_path: Path) -> Iterator[Starter]:
        """Starts the game and waits for its first board; ends whatever still runs after the test."""
        sessions: list[Session] = []

        def starter(*arguments: str, ready: bool = True, **how: object) -> Session:
            session = Session(arguments, **{"home": tmp_path, **how})  # type: ignore[arg-type]
            sessions.append(session)
            if ready:
                session.start_up()
            return session

        yield starter
        for session in sessions:
            session.close()

"""The benchmarks run and print their tables. What they measure is not judged here."""

from __future__ import annotations

import pytest

from tests.benchmarks.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["core", "--runs", "1"], ["decided and evolved", "perft 3"]),
        (
            ["records", "--runs", "1", "--many", "60", "--mutations", "20", "--megabytes", "1"],
            ["damaged files", "games/s"],
        ),
        (["idle", "--seconds", "0.2"], ["% of a core", "help"]),
        (["start", "--runs", "1"], ["dvonn-tui", "empty application"]),
        (["library", "--many", "30"], ["key l to the list", "30 games"]),
        (["journal", "--kills", "2", "--games", "1"], ["move to saved", "missing"]),
        (["screen", "--keys", "6", "--plies", "1", "--only", "80x24"], ["steps back", "ALL"]),
        (["load", "--tables", "8", "--rate", "40", "--lasting", "0.5"], ["p99 to that of the echo", "KiB"]),
        (["flood", "--tables", "40", "--lasting", "0.5"], ["under attack", "quiet"]),
        (["chaos", "--tables", "1", "--cuts", "4", "--server-kills", "1"], ["lines cut", "kill -9"]),
        (
            ["screen", "--keys", "6", "--plies", "1", "--only", "80x24", "--thinking"],
            ["ALL, thinking", "engine"],
        ),
    ],
)
def test_tables(arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert "Textual" in printed.splitlines()[0]
    for word in words:
        assert word in printed

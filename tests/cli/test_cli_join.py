"""``join``: what cannot be understood is told before any screen is opened."""

from __future__ import annotations

import pytest

from dvonn_tui.cli import main


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["not an address"], "no address 'not an address'"),
        (["host:99999"], "ports are 1 to 65535"),
        (["dvonn://host/short!"], "no table"),
        (["host", "--table", "x"], "no table 'x'"),
        (["host", "--name", " "], "the name is empty"),
    ],
)
def test_what_is_no_server_no_table_or_no_name(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["join", *words]) == 1
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err.startswith("dvonn-tui join: ")
    assert told in written.err
    assert written.err.count("\n") == 1

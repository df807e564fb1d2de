"""What happened at a table, however it arrives, makes the same game as at the server."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dvonn_tui.core.game import Game, Step
from dvonn_tui.core.log import CellMark, MarkKind
from dvonn_tui.core.notation import format_action, format_position
from dvonn_tui.core.pieces import Side
from dvonn_tui.core.position import Reason
from dvonn_tui.core.rules import legal_moves
from dvonn_tui.core.setups import Setup
from dvonn_tui.tables import happenings as happened
from dvonn_tui.tables import protocol, remote
from dvonn_tui.tables.changes import Kind
from dvonn_tui.tables.happenings import Happening
from dvonn_tui.tables.protocol import Decline, GiveUp, GoOn, MakeOffer, SetOption, Start
from dvonn_tui.tables.refusal import Refusal
from dvonn_tui.tables.remote import (
    MOST_CHAT,
    MOST_WATCHERS,
    RemoteTable,
    TableChange,
    Unfollowable,
)
from dvonn_tui.tables.table import EMPTY_TABLE, action_of, ending_of, evolve
from tests.tables.fakes import StillPort, still_table
from tests.tables.scripted import AT, SEED, TABLE, began, opened
from tests.tables.tabling import Tabling

_SETUPS = ("balanced", "random", "symmetric", "profi")
_OFFERS = ("draw", "pause", "rematch", "takeback", "takeback")


def wander(script: bytes) -> list[Happening]:
    """The log of a table at which the bytes say what is done; what the rules refuse is not done."""
    table = Tabling("time 5+3" if script[:1] > b"\x80" else "time none")
    table.sit("Ada", Side.WHITE)
    table.sit("Bea", Side.BLACK)
    for deed, choice in zip(script[1::2], script[2::2], strict=False):
        side = Side.WHITE if choice % 2 else Side.BLACK
        offer = _OFFERS[choice % len(_OFFERS)]
        try:
            match deed % 20:
                case 0:
                    table.do(side, MakeOffer(offer=offer))
                    table.do(side.other, MakeOffer(offer=offer))
                case 1:
                    table.do(side, MakeOffer(offer="takeback"))
                    table.do(side.other, MakeOffer(offer="takeback"))
                case 2:
                    table.do(side, MakeOffer(offer=offer))
                    table.do(side.other, Decline(offer=offer))
                case 3 if choice > 200:
                    table.do(side, GiveUp())
                case 4:
                    table.do(side, GoOn())
                case 5:
                    table.go_away(side)
                case 6:
                    table.come_back(side)
                case 7:
                    table.pass_time(choice * 2.0)
                case 8 | 9:
                    table.do(side, SetOption(option=_SETUPS[choice % 4]))
                case 10 | 11:
                    table.do(Side.WHITE, Start())
                    table.do(Side.BLACK, Start())
                case _:
                    for number in range(1 + choice % 8):
                        table.wait(choice / 100)
                        table.act(choice + number)
        except (Refusal, ZeroDivisionError):
            continue  # no deed, or nobody can act
    return table.log


def direct_games(log: list[Happening]) -> list[Game]:
    """Every game of a log, played straight from it."""
    games: list[Game] = []
    for event in log:
        match event:
            case happened.Began(setup=setup, seed=seed, white=white, black=black):
                games.append(Game.new(Setup(setup), seed, white=white, black=black))
            case happened.Acted(action=token):
                games[-1].promote(games[-1].play(action_of(token))[0])
            case happened.Ended(reason=reason, winner=winner):
                games[-1].promote(games[-1].play(ending_of(reason, winner))[0])
            case happened.TakenBack(actions=actions):
                assert [games[-1].undo() for _ in range(actions)] == [True] * actions
    return games


class Follower:
    """A client that keeps every game it was shown, and every step of it."""

    def __init__(self, table: RemoteTable) -> None:
        self.games: list[Game] = []
        self.steps: list[list[Step]] = []
        self.news: list[Happening] = []
        self.table = table
        table.subscribe(self.changed)

    def changed(self, change: TableChange) -> None:
        self.news.extend(change.news)
        session = self.table.session
        if change.kind == "session" and session is not None:
            self.games.append(session.game)
            self.steps.append([])
            session.subscribe(self.steps[-1].append)


scripts = st.binary(min_size=1, max_size=160) | st.integers(0, 2**32).map(
    lambda seed: Random(seed).randbytes(Random(seed).randint(20, 240))
)


@settings(max_examples=40, deadline=None)
@given(scripts, st.integers(0, 2**32))
def test_the_game_is_the_same_on_all_sides(script: bytes, seed: int) -> None:
    """In pieces of any size, repeated or not: every game is event for event the one of the log."""
    log, random = wander(script), Random(seed)
    table = RemoteTable(TABLE, StillPort())
    follower = Follower(table)
    told = random.randint(0, len(log))
    table.entered(entered(log[:told]), 1_000.0)
    while told < len(log):
        begin = random.randint(0, told)  # some of it is known already
        end = random.randint(told, len(log))
        table.news(protocol.News(table=TABLE, version=begin + 1, news=tuple(log[begin:end])), 1_000.0)
        told = end
    expected = direct_games(log)
    assert follower.news == log
    assert table.state.version == len(log)
    if not expected:
        assert table.session is None
        return
    assert table.session is not None
    game = table.session.game
    assert game.log == expected[-1].log
    assert game.position == table.state.position
    played = [
        event for event in log if isinstance(event, (happened.Acted, happened.Ended, happened.TakenBack))
    ]
    if played and not isinstance(played[-1], happened.TakenBack):
        assert game.main_line()[-1] == game.head, "what was taken back is a line beside the game"
    shown = {id(each) for each in follower.games}
    assert id(game) in shown
    steps = follower.steps[-1]
    assert [step.entry for step in steps] == list(game.log[game.length - len(steps) :])


def test_the_logs_hold_all_that_can_happen() -> None:
    """Else the two tests beside this one would prove little."""
    logs = [wander(Random(seed).randbytes(240)) for seed in range(12)]
    kinds = {type(event) for log in logs for event in log}
    assert kinds >= {happened.TakenBack, happened.Paused, happened.Resumed, happened.Ended, happened.WentAway}
    assert any(isinstance(event, happened.Began) and event.exchanged for log in logs for event in log)
    assert max(len(direct_games(log)) for log in logs) > 2
    assert any(len(game.log) > 60 for log in logs for game in direct_games(log))


@settings(max_examples=25, deadline=None)
@given(scripts)
def test_the_state_is_the_servers(script: bytes) -> None:
    """Folded by the moments at which it happened, absences included."""
    log = wander(script)
    state = EMPTY_TABLE
    for event in log:
        state = evolve(state, event, event.at / 1000)
    table = RemoteTable(TABLE, StillPort())
    table.entered(entered(log), log[-1].at / 1000 + 1)
    assert table.state == state


def entered(log: list[Happening], since: int = 0, side: str | None = None) -> protocol.Entered:
    return protocol.Entered(
        table=TABLE, side=side, since=since, news=tuple(log[since:]), chat=(), watchers=()
    )


def test_what_is_ones_own_stays_when_the_game_goes_on() -> None:
    """Comments and marks are kept on this machine and change nothing in what is played."""
    table = still_table(StillPort(), Side.WHITE)
    assert table.session is not None
    game = table.session.game
    table.session.comment(game.head, "here it began")
    table.session.mark_cells(game.head, [CellMark(legal_moves(game.position)[0].source, MarkKind.STAR)])
    direct = direct_games(opened())[0]
    for number in range(4):
        move = legal_moves(direct.position)[number]
        direct.play(move)
        event = happened.Acted(
            at=AT, by=str(Side.WHITE if number % 2 == 0 else Side.BLACK), action=format_action(move)
        )
        table.news(protocol.News(table=TABLE, version=table.state.version + 1, news=(event,)), 0.0)
    played = [entry.event for entry in game.path(game.head)]
    assert played == [entry.event for entry in direct.path(direct.head)]
    assert game.comment_of(game.log[0]) == "here it began"


def test_a_gap_is_asked_for_once() -> None:
    port = StillPort()
    table = still_table(port, None)
    after = table.state.version
    log = [
        *opened(),
        happened.Offered(at=AT, by="w", offer="draw"),
        happened.Offered(at=AT, by="b", offer="pause"),
    ]
    for _ in range(2):
        table.news(protocol.News(table=TABLE, version=after + 2, news=(log[-1],)), 0.0)
    assert port.sent == [protocol.Enter(table=TABLE, since=after, at=log[after - 1].at)]
    table.entered(entered(log, after), 0.0)
    assert len(table.state.offers) == 2


def test_a_server_that_lost_something_tells_all_again_in_pieces() -> None:
    """Then the first of them says so; the seat is kept until the client is there."""
    table = still_table(StillPort(), Side.WHITE)
    log = opened()
    table.news(protocol.News(table=TABLE, version=1, news=tuple(log[:2]), anew=True), 0.0)
    assert (table.state.version, table.side) == (2, Side.WHITE)
    table.entered(entered(log, 2, "w"), 0.0)
    assert (table.state.version, table.side) == (len(log), Side.WHITE)


def test_a_server_that_lost_something_tells_all_again() -> None:
    """Begun anew from nothing, with another session."""
    table = still_table(StillPort(), Side.WHITE)
    first = table.session
    table.entered(entered(opened()[:3], side="w"), 0.0)
    assert (table.state.version, table.session) == (3, None)
    table.entered(entered(opened(), 3, "w"), 0.0)
    assert table.session is not None
    assert table.session is not first


BAD_NEWS = [
    [happened.Acted(at=AT, by="w", action="a1a1")],
    [happened.Acted(at=AT, by="w", action="resign")],
    [happened.Acted(at=AT, by="w", action="\x1b[2J")],
    [happened.TakenBack(at=AT, actions=1, position="9/10/3(rwb)7/10/9 w m")],
    [happened.TakenBack(at=AT, actions=1 << 31, position="nonsense")],
    [happened.Ended(at=AT, reason="boredom", winner="w")],
    [happened.Ended(at=AT, reason="time", winner=None)],
    [happened.OptionSet(at=AT, by="w", option="komi 7")],
    [happened.Offered(at=AT, by="w", offer="money")],
    [began(2, setup="position")],
    [began(2, setup="balanced", seed=None)],
    [happened.Ended(at=AT, reason="time", winner="b"), happened.Acted(at=AT, by="w", action="a1a2")],
]


BAD_NEWS.append([happened.Offered(at=AT, by="w", offer="draw")] * (remote.MOST_OFFERS + 1))


@pytest.mark.parametrize("news", BAD_NEWS, ids=range(len(BAD_NEWS)))
def test_what_cannot_be_is_not_followed(news: list[Happening]) -> None:
    table = still_table(StillPort(), Side.WHITE)
    before = table.state
    with pytest.raises(Unfollowable) as end:
        table.news(protocol.News(table=TABLE, version=before.version + 1, news=tuple(news)), 0.0)
    assert str(end.value).isprintable()


def test_a_move_before_any_game_is_not_followed() -> None:
    table = still_table(StillPort(), None, opened()[:3])
    with pytest.raises(Unfollowable):
        table.news(
            protocol.News(table=TABLE, version=4, news=(happened.Acted(at=AT, by="w", action="a1"),)), 0.0
        )


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chat, watchers and the log of a game that a server never lets end."""
    table = still_table(StillPort(), None)
    for number in range(MOST_CHAT + 10):
        table.written(protocol.ChatLine(at=AT, name="Eve", side=None, text=str(number)))
    assert [line.text for line in table.chat] == [str(number) for number in range(10, MOST_CHAT + 10)]
    table.watching(tuple(map(str, range(MOST_WATCHERS + 5))))
    assert len(table.watchers) == MOST_WATCHERS
    assert table.session is not None
    game = table.session.game
    move = format_action(legal_moves(game.position)[0])
    pair = (
        happened.Acted(at=AT, by="w", action=move),
        happened.TakenBack(at=AT, actions=1, position=format_position(game.position)),
    )

    def tell() -> None:
        news = protocol.News(table=TABLE, version=table.state.version + 1, news=pair * 20)
        table.news(news, 0.0)

    monkeypatch.setattr(remote, "LONGEST_LOG", 400)
    while game.length < 390:
        tell()
    with pytest.raises(Unfollowable, match="without an end"):
        tell()
    assert game.length < 410


def test_the_same_move_in_another_position_is_not_the_one_that_was_sent() -> None:
    """From the same seat elsewhere: the move that waits was made for what is gone, and that is told."""
    port = StillPort()
    table = still_table(port, Side.WHITE)
    assert table.session is not None
    start = table.session.game.position
    first, second = (format_action(move) for move in legal_moves(start)[:2])
    table.line_changed()
    assert table.do(protocol.Act(action=first))
    told: list[str] = []
    table.subscribe(lambda change: told.append(change.text) if change.kind == "refused" else None)
    news = [
        happened.Acted(at=AT, by="w", action=second),
        happened.TakenBack(at=AT, actions=1, position=format_position(start)),
        happened.Acted(at=AT, by="w", action=first),
    ]
    table.entered(entered([*opened(), *news], len(opened()), "w"), 0.0)
    assert table.sending is None
    assert len(told) == 1
    assert port.sent == []


def test_chat_that_is_told_again_after_a_cut_is_shown_once() -> None:
    table = still_table(StillPort(), None)
    lines = [protocol.ChatLine(at=AT + number, name="Eve", side=None, text="hm") for number in range(3)]
    table.written(lines[0])
    table.written(lines[1])
    again = protocol.Entered(
        table=TABLE, side=None, since=table.state.version, news=(), chat=tuple(lines), watchers=()
    )
    table.entered(again, 0.0)
    assert table.chat == tuple(lines)


def test_whoever_is_told_of_other_colours_sees_the_new_game(tmp_path: Path) -> None:
    """The state, the session and the side are of one game whenever somebody looks."""
    port = StillPort(tmp_path)
    table = still_table(port, Side.WHITE)
    seen: list[tuple[Side | None, bool]] = []

    def look(change: TableChange) -> None:
        assert table.session is not None
        if change.kind is Kind.SEATED:
            seen.append((table.side, table.session.game.position == table.state.position))

    table.subscribe(look)
    over = happened.Ended(at=AT, reason=str(Reason.RESIGNATION), winner="w")
    again = began(2, seed=SEED + 1, exchanged=True, white="Bob", black="Ada")
    news = protocol.News(table=TABLE, version=table.state.version + 1, news=(over, again))
    table.news(news, port.now())
    assert seen == [(Side.BLACK, True)]

"""Every action of the game screen with its keys, in one table.

The keys in the table can be changed in the config file by the action's id. Letters also work in upper
case, as with caps lock, and on Cyrillic and Greek keyboards by the place of the key, unless another
action has claimed that key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from textual.keys import KEY_NAME_REPLACEMENTS, Keys, _character_to_key, key_to_character


@dataclass(frozen=True, slots=True)
class Command:
    """An action that a player can call by key, by mouse or from the palette.

    Attributes:
        id: its name in the config file.
        action: the action of the game screen, as Textual writes it.
        title: what it does, for help and palette.
        keys: the default keys, separated by commas.
        vim: the keys in the vim keymap, when they differ.
        group: the heading in the help.
        short: its word in the foot of the screen; none when it is not shown there.
    """

    id: str
    action: str
    title: str
    keys: str
    group: str
    vim: str | None = None
    short: str = ""


CURSOR: Final = "Moving about"
PLAY: Final = "Playing"
ENGINE: Final = "Engines"
LOOK: Final = "Looking back"
NOTES: Final = "Lines, comments, marks"
TABLE: Final = "At a table with others"
GAME: Final = "Game and screen"

COMMANDS: Final = (
    Command("cursor.left", "cursor('left')", "Cursor left", "left,a,4", CURSOR, "left,h,4"),
    Command("cursor.right", "cursor('right')", "Cursor right", "right,d,6", CURSOR, "right,l,6"),
    Command("cursor.up", "cursor('up')", "Cursor up, to and fro", "up,8", CURSOR, "up,k,8"),
    Command("cursor.down", "cursor('down')", "Cursor down, to and fro", "down,2", CURSOR, "down,j,2"),
    Command("cursor.up_left", "cursor('up-left')", "Cursor up left", "w,7", CURSOR, "y,7"),
    Command("cursor.up_right", "cursor('up-right')", "Cursor up right", "e,9", CURSOR, "u,9"),
    Command("cursor.down_left", "cursor('down-left')", "Cursor down left", "z,1", CURSOR, "b,1"),
    Command("cursor.down_right", "cursor('down-right')", "Cursor down right", "x,3", CURSOR, "n,3"),
    Command("cursor.next", "next_stack(1)", "Next stack that can move, or next target", "tab", CURSOR),
    Command("cursor.previous", "next_stack(-1)", "The one before", "shift+tab", CURSOR),
    Command(
        "pick", "pick", "Pick a stack, play the move, place a piece", "enter,space,5", PLAY, short="pick"
    ),
    Command("let_go", "let_go", "Let go of the stack", "escape,backspace", PLAY, short="let go"),
    Command("type", "type", "Type a move or a command", "colon", PLAY, short="move"),
    Command("undo", "undo", "Undo the last move", "u,ctrl+z", PLAY, "ctrl+z,minus", short="undo"),
    Command("redo", "redo", "Redo it", "U,ctrl+y", PLAY, "ctrl+r,plus"),
    Command("place_rest", "place_rest", "Place the remaining pieces at random", "m", PLAY),
    Command("resign", "resign", "Resign", "exclamation_mark", PLAY),
    Command("draw", "draw", "Agree on a draw; at a table, offer one", "equals_sign", PLAY),
    Command("hint", "hint", "Hint: the best move, again for the next best", "h", ENGINE, "H", short="hint"),
    Command("analysis", "analysis", "Analysis of the position that is seen, on and off", "v", ENGINE),
    Command("analysis.1", "analysis_line(0)", "Show the best line of the analysis", "f5", ENGINE),
    Command("analysis.2", "analysis_line(1)", "Show the second line", "f6", ENGINE),
    Command("analysis.3", "analysis_line(2)", "Show the third line", "f7", ENGINE),
    Command("graph", "graph", "The graph over the game: score or value", "f8", ENGINE),
    Command("review", "review", "Review the finished game; again to stop", "r", ENGINE),
    Command("play_now", "play_now", "Let the engine play what it has", "o", ENGINE, "o"),
    Command("seats", "seats", "Change who plays", "C", ENGINE),
    Command("pause", "pause", "Pause: engines wait and clocks stand still; go on", "k", ENGINE, "full_stop"),
    Command("pace", "pace", "Speed of the replay, and of engine against engine", "j", ENGINE, "underscore"),
    Command("engine.restart", "restart_engine", "Start an engine that failed anew", "ctrl+e", ENGINE),
    Command("back", "step(-1)", "One ply back", "left_square_bracket,pageup", LOOK, short="back"),
    Command("forward", "step(1)", "One ply forward", "right_square_bracket,pagedown", LOOK, short="forward"),
    Command("start", "to_start", "To the start", "left_curly_bracket,home", LOOK),
    Command("present", "to_present", "To the present", "right_curly_bracket,end", LOOK),
    Command("line.next", "next_line(1)", "The next line at the nearest fork", "b", LOOK, "tilde"),
    Command("log.fold", "fold", "Fold or unfold the placements in the log", "s", LOOK),
    Command("replay", "replay", "Replay the game by itself, stop", "0", LOOK),
    Command("next.capture", "jump('capture', 1)", "To the next capture", "greater_than_sign", LOOK),
    Command("previous.capture", "jump('capture', -1)", "To the capture before", "less_than_sign", LOOK),
    Command("next.cut_off", "jump('cut-off', 1)", "To the next cut-off", "right_parenthesis", LOOK),
    Command("previous.cut_off", "jump('cut-off', -1)", "To the cut-off before", "left_parenthesis", LOOK),
    Command("next.pass", "jump('pass', 1)", "To the next pass", "dollar_sign", LOOK),
    Command("previous.pass", "jump('pass', -1)", "To the pass before", "number_sign", LOOK),
    Command("next.mistake", "jump('mistake', 1)", "To the next mistake of a review", "slash", LOOK),
    Command("previous.mistake", "jump('mistake', -1)", "To the mistake before", "backslash", LOOK),
    Command("comment", "comment", "Comment on the ply", "quotation_mark", NOTES),
    Command("mark", "mark", "Mark the cell: circle, cross, star, nothing", "asterisk", NOTES),
    Command("line.promote", "promote_line", "Make this line the first", "plus", NOTES, "ctrl+p"),
    Command("line.hide", "hide_line", "Hide this line", "minus", NOTES, "ctrl+x"),
    Command("lines.hidden", "hidden_lines", "Bring back a hidden line", "ctrl+l", NOTES),
    Command("log.lines", "log_lines", "Fold or unfold the other lines in the log", "semicolon", NOTES),
    Command("ply.menu", "ply_menu", "What can be done with the ply", "f4", NOTES),
    Command("tables", "tables", "Tables: play with people on other machines", "t", TABLE, short="tables"),
    Command("chat", "chat", "Chat line: say something, or a command such as /help", "c", TABLE, short="chat"),
    Command("chat.panel", "chat_panel", "Show the chat, or what it covers", "at", TABLE),
    Command("offer.accept", "accept", "Accept what the other side offers", "ctrl+a", TABLE, short="accept"),
    Command("offer.decline", "decline", "Decline it", "ctrl+n", TABLE, short="decline"),
    Command("invite", "invite", "Copy the line that invites somebody to the table", "ampersand", TABLE),
    Command("table.leave", "leave_table", "Leave the table", "ctrl+t", TABLE),
    Command("new", "new_game", "New game", "n", GAME, "N", short="new"),
    Command("edit", "edit", "Set up a position by hand", "f9", GAME),
    Command("flip", "flip", "Turn the board round", "f", GAME, short="flip"),
    Command("look", "next_look", "Next look: discs, graph, ascii", "g", GAME, short="look"),
    Command("theme", "next_theme", "Next theme", "T", GAME),
    Command("inspector.pin", "pin", "Pin the inspector to this stack, or free it", "i", GAME),
    Command("copy", "copy_position", "Copy the position", "y", GAME, "Y", short="copy"),
    Command("copy_moves", "copy_moves", "Copy the moves of the game", "Y", GAME, "M"),
    Command("copy_record", "copy_record", "Copy the whole game as a record", "ctrl+r", GAME, "ctrl+d"),
    Command("copy_board", "copy_board", "Copy the board as text", "ctrl+b", GAME),
    Command("save", "save_elsewhere", "Save the game in another folder", "ctrl+s", GAME),
    Command("library", "library", "Library: all games", "l", GAME, "L", short="library"),
    Command("settings", "settings", "Settings", "comma,f2", GAME),
    Command("palette", "palette", "All commands", "p,f3", GAME, short="palette"),
    Command("help", "help('play')", "Help: how to play, signs, keys", "question_mark,f1", GAME, short="help"),
    Command("quit", "leave", "Leave", "q,f10", GAME, short="leave"),
)
"""All commands. The order is that of the help."""

COMMANDS_BY_ID: Final = {command.id: command for command in COMMANDS}

_LATIN: Final = "qwertyuiopasdfghjklzxcvbnm"
_LAYOUTS: Final = (
    "йцукенгшщзфывапролдячсмить",
    ";ςερτυθιοπασδφγηξκλζχψωβνμ",
)

_KEY_NAMES: Final = {
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "question_mark": "?",
    "colon": ":",
    "comma": ",",
    "semicolon": ";",
    "quotation_mark": '"',
    "asterisk": "*",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "left_parenthesis": "(",
    "right_parenthesis": ")",
    "dollar_sign": "$",
    "number_sign": "#",
    "slash": "/",
    "backslash": "\\",
    "at": "@",
    "ampersand": "&",
    "minus": "-",
    "plus": "+",
    "tilde": "~",
    "exclamation_mark": "!",
    "equals_sign": "=",
    "full_stop": ".",
    "underscore": "_",
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
}
_NAMED: Final = {name: key for key, name in _KEY_NAMES.items()}


@dataclass(frozen=True)
class Keymap:
    """The keys of every command, by its id, and what was wrong with the wishes for them."""

    keys: Mapping[str, tuple[str, ...]]
    problems: tuple[str, ...] = field(default=())

    def shown(self, command: Command, most: int = 4) -> str:
        """The keys of a command for people, separated by spaces."""
        return " ".join(key_word(key) for key in self.keys[command.id][:most])

    @cached_property
    def actions(self) -> dict[str, str]:
        """The action of every key, with those of other keyboards."""
        claimed = {key for keys in self.keys.values() for key in keys}
        found: dict[str, str] = {}
        for command in COMMANDS:
            for key in _with_other_layouts(self.keys[command.id], claimed):
                found.setdefault(key_name(key), command.action)
        return found


def key_name(key: str) -> str:
    """The name that Textual gives a key that is written as a character."""
    return _character_to_key(key) if len(key) == 1 else key


def key_word(key: str) -> str:
    """A key as people call it."""
    parts = [*key.split("+")[:-1], _KEY_NAMES.get(key.split("+")[-1], key.split("+")[-1])]
    return "+".join(parts)


def build_keymap(wishes: Mapping[str, str], *, vim: bool = False) -> Keymap:
    """The keymap for the wishes of a config file: ids with keys separated by commas.

    A wish for an unknown id, and a key that is wished for twice, is reported and left out. A key that
    is wished for is taken from the command that has it by default.
    """
    problems = []
    chosen: dict[str, tuple[str, ...]] = {}
    claimed: dict[str, str] = {}
    for wish, keys in wishes.items():
        if wish not in COMMANDS_BY_ID:
            problems.append(f"keys: there is no command {wish!r}")
            continue
        if not _split(keys):
            problems.append(f"keys: no key is named for {wish}; it keeps its own")
        kept = []
        for key in _split(keys):
            if not _is_key(key):
                problems.append(f"keys: there is no key {key!r}, wished for {wish}")
                continue
            if claimed.get(key, wish) != wish:
                problems.append(
                    f"keys: {key_word(key)} is wished for {claimed[key]} and for {wish}; the first has it"
                )
                continue
            claimed[key] = wish
            kept.append(key)
        if kept:
            chosen[wish] = tuple(dict.fromkeys(kept))
    for command in COMMANDS:
        if command.id not in chosen:
            defaults = command.vim if vim and command.vim else command.keys
            free = tuple(key for key in _split(defaults) if key not in claimed)
            chosen[command.id] = free
    problems += [
        f"keys: {command_id} has no key any more; give it one or use the palette"
        for command_id, keys in chosen.items()
        if not keys
    ]
    return Keymap(chosen, tuple(problems))


def _split(keys: str) -> list[str]:
    """The keys of a wish, by the names that Textual uses; a lone comma is the comma key."""
    parts = ["comma"] if keys.strip() == "," else [key.strip() for key in keys.split(",")]
    return [_NAMED.get(key, key) for key in parts if key]


def _is_key(key: str) -> bool:
    """True for a character or the name of a key, perhaps with ctrl+, alt+ or shift+ before it."""
    *modifiers, last = key.split("+")
    if not set(modifiers) <= _MODIFIERS:
        return False
    character = key_to_character(_LONG_NAMES.get(last, last))
    return last in _KEY_VALUES or (character is not None and key_name(character) == key_name(last))


_MODIFIERS: Final = {"ctrl", "alt", "shift", "super", "hyper", "meta"}
_LONG_NAMES: Final = {short: name for name, short in KEY_NAME_REPLACEMENTS.items()}
_KEY_VALUES: Final = {key.value for key in Keys} - {
    Keys.Any.value, Keys.ScrollUp.value, Keys.ScrollDown.value, Keys.Ignore.value,
}  # fmt: skip


def _with_other_layouts(keys: Iterable[str], claimed: set[str]) -> list[str]:
    """Keys, and for letters the same key in upper case and on other keyboards."""
    found = []
    for key in keys:
        found.append(key)
        if len(key) != 1 or not key.isalpha():
            continue
        variants = [key.lower(), key.upper()] if key.islower() else []
        place = _LATIN.find(key.lower())
        if place >= 0:
            others = [layout[place] for layout in _LAYOUTS if layout[place].isalpha()]
            variants += [other.upper() if key.isupper() else other for other in others]
            if key.islower() and key.upper() not in claimed:
                variants += [other.upper() for other in others]
        found += [variant for variant in variants if variant not in claimed and variant not in found]
    return found

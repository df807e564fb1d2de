"""The chat: its panel, the line in which one writes, and the commands that begin with a slash.

The panel and the line come onto the screen when they are first needed, so that a game here starts
without them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from textual.dom import DOMNode

from dvonn_tui.core.errors import DvonnError, IllegalAction
from dvonn_tui.ui.keys import COMMANDS_BY_ID
from dvonn_tui.ui.layout import Panels
from dvonn_tui.ui.screens.opening import OpeningScreen
from dvonn_tui.ui.widgets.command_line import CommandLine
from dvonn_tui.ui.words import Tone

if TYPE_CHECKING:
    from dvonn_tui.ui.chat_log import ChatLog
    from dvonn_tui.ui.widgets.chat import ChatField, ChatPanel

ABOUT_THE_BOARD: Final = frozenset({"cursor", "next_stack", "pick", "let_go", "step", "type", "undo"})
"""Actions that show the board again when the chat covers it."""

TALL_SIDE: Final = 31
"""Lines of the screen from which on the chat stands below the log beside the board."""

MOST_BESIDE: Final = 5
"""Lines that are told beside the board at most: more would lie over it."""

NOBODY: Final = "nobody else is at this board: /help lists what can be said, t shows tables"


class ChattingScreen(OpeningScreen):
    """Shows what is said, and sends what is written.

    Attributes:
        chat_open: whether the panel is wished for; None leaves it to the room there is.
    """

    chat_open: bool | None = None
    _chat_panel: ChatPanel | None = None
    _chat_field: ChatField | None = None

    _chat_log: ChatLog | None = None
    _told_lines = 0
    """How many lines were told last and are still to be shown from the first of them."""

    @property
    def chat_log(self) -> ChatLog:
        """What was said and what happened; made when it is needed."""
        from dvonn_tui.ui.chat_log import ChatLog

        if self._chat_log is None:
            self._chat_log = ChatLog()
        return self._chat_log

    def forget_chat(self) -> None:
        """Nothing was said so far."""
        self._chat_log = None

    # The line

    @property
    def open_line(self) -> CommandLine | None:
        """The line in which something is typed at present."""
        if self._chat_field is not None and self._chat_field.is_open:
            return self._chat_field
        return super().open_line

    async def action_chat(self, text: str = "") -> None:
        """Open the line for writing to the others; `text` stands in it already."""
        self.heard()
        if self.arrangement is None:
            return
        if self._chat_field is None:
            from dvonn_tui.ui.widgets.chat import ChatField

            self._chat_field = ChatField(self.slash_matches, id="say")
            await self.query_one("#left").mount(self._chat_field)
        self.line.close()
        self._chat_field.open(())
        if text:
            self._chat_field.insert_text_at_cursor(text)

    async def action_slash(self, text: str) -> None:
        """Carry out a command that was clicked on."""
        self.heard()
        try:
            await self.carry_out(text)
        except DvonnError as fault:
            self.refuse(fault)

    async def send(self, text: str) -> None:
        """Say what was written, or carry it out when it begins with a slash.

        What cannot be done stays in the line, with the reason below it.
        """
        field = self._chat_field
        assert field is not None
        said = text.strip()
        try:
            if said.startswith("/") and not said.startswith("//"):
                await self.carry_out(said)
            elif said:
                self.speak(said[1:] if said.startswith("//") else said)
        except DvonnError as fault:
            self.refuse(fault)
            self.tell_fault(fault.reason)
            return
        field.sent(said)
        field.close()
        self.update()

    def speak(self, text: str) -> None:
        """Say something to the others. Raises IllegalAction when there are none."""
        if self.guest is None:
            raise IllegalAction(NOBODY)
        self.guest.table.say(text)

    async def carry_out(self, text: str) -> None:
        """Carry out a command that begins with a slash. Raises DvonnError when it cannot be."""
        raise NotImplementedError

    def slash_matches(self, text: str) -> tuple[str, ...]:
        """What a text that begins with a slash can become."""
        from dvonn_tui.tables.slash import complete
        from dvonn_tui.ui.slash_acts import where_of

        return complete(text, where_of(self))

    def tell_fault(self, told: str) -> None:
        """Show below the line why its text cannot be carried out."""
        raise NotImplementedError

    # The panel

    def note(self, text: str) -> None:
        """Write down what happened; where the panel is not seen it is said as well."""
        self.chat_log.note(text)
        if text and not self._panel_seen:
            self.say(text, Tone.QUIET)
        self.update()

    def tell_lines(self, lines: tuple[str, ...]) -> None:
        """Tell several lines: in the panel when it is seen, else beside the board, or many as a table."""
        if self._panel_seen and len(lines) > 1:
            for line in lines:
                # Columns would be broken up in a panel as narrow as this.
                self.chat_log.note(re.sub(" {2,}", ": ", line))
            self._told_lines = len(lines)
            self.update()
        elif len(lines) == 1:
            self.say(lines[0], Tone.PLAIN)
        elif len(lines) <= MOST_BESIDE:
            self.notify("\n".join(lines), timeout=12, markup=False)
        else:
            self._show_table(*lines)

    def _show_table(self, head: str, *rows: str) -> None:
        """Show lines of a term and what it means, for which there is no room beside the board."""
        from dvonn_tui.ui.screens.help import HelpScreen

        parts = [row.partition("  ") for row in rows]
        told = [(term.strip(), does.strip()) for term, _, does in parts]
        self.app.push_screen(HelpScreen([(head, told)], "keys"))

    def hear(self) -> None:
        """Somebody at the table has said something."""
        if self.guest is None:
            return
        heard = self.chat_log.hear(self.guest.table.chat, self.guest.link.you)
        if heard and not self._panel_seen:
            # One's own lines as well: nothing else tells that they were said.
            self.say(f"{heard[-1].name}: {heard[-1].text}", Tone.PLAIN)
        self.update()

    @property
    def _fits_beside(self) -> bool:
        """True when there is room for the panel beside the log, or below it."""
        arrangement = self.arrangement
        return arrangement is not None and (
            arrangement.guide
            or (arrangement.panels is Panels.BESIDE and (arrangement.roomy or self._tall_side))
        )

    @property
    def _tall_side(self) -> bool:
        """True when the log and the chat have room below each other, beside the board."""
        beside = self.arrangement is not None and self.arrangement.panels is Panels.BESIDE
        return beside and self.app.size.height >= TALL_SIDE

    @property
    def _panel_seen(self) -> bool:
        """True when the panel is shown."""
        if self.guest is None or self.arrangement is None:
            return False
        if self.chat_open is not None:
            return self.chat_open
        return self._fits_beside or not self.guest.playing

    @property
    def chat_covers_board(self) -> bool:
        """True when the panel is where the board otherwise is."""
        return self._panel_seen and self.arrangement is not None and self.arrangement.panels is Panels.LINE

    def action_chat_panel(self) -> None:
        """Show the panel, or what it covers."""
        self.heard()
        if self.guest is None:
            self.say(NOBODY, Tone.QUIET)
            return
        self.chat_open = not self._panel_seen
        self.update()

    def bar_right(self) -> str:
        """What stands at the right of the bar: what nobody has read yet comes first."""
        return self.unread_words() or super().bar_right()

    def unread_words(self) -> str:
        """How many lines nobody has seen yet, and how to see them; empty when there are none."""
        if self._chat_log is None or not self._chat_log.unread:
            return ""
        key = self.keymap.shown(COMMANDS_BY_ID["chat.panel"], 1)
        return f"{self.chat_log.unread} new: {key}"

    def on_chat_field_scrolled(self, message: ChatField.Scrolled) -> None:
        """A page of what was said; where the panel is not seen it is shown first."""
        if self.guest is None:
            return
        if not self._panel_seen:
            self.action_chat_panel()
        elif self._chat_panel is not None:
            self._chat_panel.page(message.pages)

    def _show_words(self, attention: Any) -> None:
        if self._panel_seen:
            self.chat_log.read()
        super()._show_words(attention)

    def _show_panels(self, attention: Any) -> None:
        seen = self._panel_seen
        if seen and self._chat_panel is None:
            from dvonn_tui.ui.widgets.chat import ChatPanel

            self._chat_panel = ChatPanel(self.home.inks, id="chat")
            self._chat_panel.dress(self.home.inks, self.home.signs)
            self.query_one("#panels").mount(self._chat_panel, after="#log")
        waiting = seen and self.guest is not None and not self.guest.begun
        classes = {"-chat": seen, "-waiting": waiting, "-tall-side": seen and self._tall_side}
        if any(self.has_class(name) != wished for name, wished in classes.items()):
            self.update_classes(classes)
        super()._show_panels(attention)
        if seen and self._chat_panel is not None and self.guest is not None:
            head, title = self.guest.chat_head(), self.guest.chat_title()
            self._chat_panel.show(title, head, self.chat_log.remarks)
            if self._told_lines:
                self._chat_panel.show_from(self._told_lines)
                self._told_lines = 0

    async def run_action(self, action: str, namespaces: Mapping[str, DOMNode] | None = None) -> None:
        """Carry out an action of this screen; at a table some mean something else."""
        name = action.partition("(")[0]
        if self.guest is not None:
            if self.chat_covers_board and self.guest.playing and name in ABOUT_THE_BOARD:
                self.action_chat_panel()
                return
            if self.check_action(name, ()) and self.guest.takes(action):
                return
        await super().run_action(action, namespaces)

"""Reading and writing games: `dvonn_tui.records.forms` reads and writes, and lists the forms;
`dvonn_tui.records.journal` writes the file of a game while it is played."""

"""Reading and writing games: `dvonn_tui.records.forms` reads and writes, and lists the forms."""

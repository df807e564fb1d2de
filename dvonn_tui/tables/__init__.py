"""Tables between machines: the table itself, the server that keeps it, and the way to it."""

"""The program in a pseudo-terminal, as its user meets it."""

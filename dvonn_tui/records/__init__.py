"""Reading and writing games. Nothing here knows of a clock or a screen."""

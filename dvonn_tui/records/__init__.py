"""Reading and writing games: `forms` lists the forms, `journal` keeps a game that is being played.

Nothing here knows of a clock or a screen.
"""

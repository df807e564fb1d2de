"""Drawing a board: where everything lies, how it looks, and repainting only what changed."""

"""What the screen shows, made from a trainer and a request: pure functions, immutable results, no Textual."""

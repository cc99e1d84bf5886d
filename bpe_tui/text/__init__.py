"""Untrusted bytes and text made safe to draw: shown, never obeyed. No Textual in here."""

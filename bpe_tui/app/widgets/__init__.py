"""Widgets: they draw `SafeText`, hold no data but caches, and tell what happened by messages."""

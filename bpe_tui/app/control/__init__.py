"""What actions do: one controller per subject, between the desk, the worker and the screen."""

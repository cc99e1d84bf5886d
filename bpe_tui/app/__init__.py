"""The Textual application: views over the session model."""

"""The Textual application: screens, widgets, controllers, and one registry of actions."""

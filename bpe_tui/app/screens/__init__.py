"""Screens above the explorer: choices and help."""

"""The command line and the terminal explorer of BPE training."""

__version__ = "0.1.0"

"""Byte-pair-encoding training as a library: step-wise, exact and reversible; no terminal, no printing."""

"""`python -m bpe_tui` is `bpe-tui`."""

import sys

from bpe_tui.cli import main

sys.exit(main())

"""One module per command: `DESCRIPTION`, `EPILOG`, `add_arguments(parser)` and `run(args, parser)`."""

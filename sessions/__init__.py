"""Sessions on disk: msgpack snapshots of a training run, written atomically and read as hostile input."""

"""From a scanned folder to a store: decide what changed, then chunk, embed and commit it."""

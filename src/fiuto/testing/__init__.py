"""Checks that every chunker, embedder and store must pass; authors of plug-ins call them too."""

"""Texts to vectors: one adapter a module, each loaded by name."""

"""Hits and figures as text for people and as plain data: strings in, strings out."""

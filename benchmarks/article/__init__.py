"""The published measurement that fiuto starts from, made again."""

"""Measures a search on a real folder: questions with known answers, and grep beside it."""

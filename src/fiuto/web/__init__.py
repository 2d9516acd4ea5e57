"""
The page and the JSON API behind it: indexes, search and evaluation in a browser.

Needs the extra ``fiuto[web]``; nothing here is imported before ``fiuto serve`` runs.
"""

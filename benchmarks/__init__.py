"""
Measurements over many repositories, run by hand, their results committed.

Outside the package on purpose: everything here asks fiuto through the door that a
user has (``fiuto.open``), so a figure is what a user gets.
"""

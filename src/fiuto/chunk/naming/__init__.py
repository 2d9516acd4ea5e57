"""
What a definition is called, by families of languages.

A row of the grammar table names a module here and a function in it for node types
whose name is not simply their ``name`` field.
"""

"""One module or package per service or surface, independent of each other.

`shipped` lists them for build_app.
"""

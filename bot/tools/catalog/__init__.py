"""All tool files of this installation, and the search over them."""

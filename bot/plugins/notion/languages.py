"""Notion's names of programming languages.

See https://developers.notion.com/reference/block#code.
"""

PLAIN = "plain text"
_NAMES = """
abap arduino bash basic c clojure coffeescript css dart diff docker elixir elm erlang flow fortran
gherkin glsl go graphql groovy haskell html java javascript json julia kotlin latex less lisp
livescript lua makefile markdown markup matlab mermaid nix objective-c ocaml pascal perl php
powershell prolog protobuf python r reason ruby rust sass scala scheme scss shell sql swift
typescript vb.net verilog vhdl webassembly xml yaml c++ c# f#
"""
_KNOWN = frozenset(_NAMES.split())
_SHORT = {
    "cpp": "c++",
    "csharp": "c#",
    "fsharp": "f#",
    "dockerfile": "docker",
    "golang": "go",
    "hs": "haskell",
    "js": "javascript",
    "jsx": "javascript",
    "kt": "kotlin",
    "md": "markdown",
    "plain": PLAIN,
    "text": PLAIN,
    "txt": PLAIN,
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "shell",
    "ts": "typescript",
    "tsx": "typescript",
    "yml": "yaml",
    "zsh": "shell",
}


def language_of(info: str) -> str | None:
    """The language after a fence, PLAIN without one; None if Notion doesn't have it."""
    name = (info.split() or ["plain"])[0].casefold()
    known = _SHORT.get(name, name)
    return known if known in _KNOWN or known == PLAIN else None

"""A page's accessibility tree: parsed from Playwright's snapshot, written in few tokens.

It contains what assistive technology would announce, so hidden elements are absent.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

NAME_CHARS = 100
_DEPTH = 120
"""Deeper elements count as children of this level."""
_LINE = re.compile(r"( *)- (.*)")
_KEY = re.compile(
    r'(?P<role>[a-z/]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<marks>(?: \[[^\[\]]*\])*)'
)
_MARK = re.compile(r"\[([^\[\]=]+)(?:=([^\[\]]*))?\]")
CLICKED = frozenset({"link", "button", "tab", "menuitem", "treeitem", "summary", "option"})
TOGGLED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
TYPED = frozenset({"textbox", "searchbox", "spinbutton"})
SELECTED = frozenset({"combobox", "listbox", "slider"})
EXTRA = frozenset({"file", "draggable", "focusable"})
"""What the browser's tree does not show as usable; a script finds it in the document."""
INTERACTIVE = CLICKED | TOGGLED | TYPED | SELECTED | EXTRA
_POINTED = frozenset(
    {
        *("generic", "img", "cell", "gridcell", "listitem", "row", "paragraph", "figure"),
        *("heading", "text", "strong", "emphasis", "code", "term", "definition"),
    }
)
"""What a hand pointer over it makes an element that may be clicked."""
_WORDS = re.compile(r"\w{2,}")
_PARTS = {"dialog": "dialog", "alertdialog": "dialog", "iframe": "frame"}
"""Parts of a page that the text names, since the same words may stand outside of them."""
_OTHERS = 25
_OPTIONS = 60
_BLOCKS = frozenset(
    {
        "paragraph",
        "listitem",
        "row",
        "table",
        "list",
        "article",
        "region",
        "form",
        "main",
        "navigation",
        "banner",
    }
)


@dataclass
class PageNode:
    """One element or text on the page."""

    role: str
    name: str = ""
    ref: str = ""
    """The id by which the browser finds it while its document is open: `e12`."""
    marks: dict[str, str] = field(default_factory=dict[str, str])
    """States such as `checked`, `disabled`, `expanded`, `level`."""
    text: str = ""
    children: list["PageNode"] = field(default_factory=list["PageNode"])
    interactive: bool = False
    """Whether the model can act on it.

    An element with a hand pointer and nothing interactive inside counts: it may be a fake button.
    """

    @property
    def label(self) -> str:
        """Its name on one line, at most 100 characters, or its text if it has no name."""
        return _folded(self.name or self.content())[:NAME_CHARS]

    @property
    def kind(self) -> str:
        """Its role for people and models: an element that only looks clickable is an `element`."""
        return "element" if self.role in _POINTED else self.role

    @property
    def url(self) -> str:
        return next((child.text for child in self.children if child.role == "/url"), "")

    @property
    def method(self) -> str:
        """The possible actions: `click`, `type`, `select`, `check`."""
        if self.role in TYPED:
            return "type"
        if self.role in SELECTED:
            return "select" if any(child.role == "option" for child in self.children) else "type"
        return "check" if self.role in TOGGLED else "click"

    def walk(self) -> Iterator["PageNode"]:
        stack: list[PageNode] = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def content(self) -> str:
        """All the text in it."""
        return _folded(
            " ".join(
                part for node in self.walk() if node.role != "/url" for part in (node.text,) if part
            )
        )


@dataclass(frozen=True)
class _Shown:
    """What the text of a page has besides names and states."""

    links: bool = False
    options: bool = False


@dataclass(frozen=True)
class PageSnapshot:
    """The page at one moment."""

    url: str
    title: str
    root: PageNode
    cut: bool = False

    def elements(self) -> list[PageNode]:
        """Elements that can be acted on, in page order.

        The options of a native list stand with it: they have no id.
        """
        return [node for node in self.root.walk() if node.interactive]

    def usable(self) -> list[PageNode]:
        """Every element that has an id, since plain text may be clicked or dropped onto, too."""
        return [node for node in self.root.walk() if node.ref]

    def others(self, words: str) -> list[PageNode]:
        """Elements that say something of these words, and do not look as if they could be used."""
        wanted = set(_WORDS.findall(words.casefold()))
        found = [
            node
            for node in self.root.walk()
            if node.ref
            and not node.interactive
            and node.role not in {"iframe", "page"}
            and (node.name or not any(one.interactive for one in node.walk()))
            and wanted & set(_WORDS.findall(node.label.casefold()))
        ]
        # The innermost element says it most exactly.
        return sorted(found, key=lambda one: len(one.label))[:_OTHERS]

    def find(self, ref: str) -> PageNode | None:
        return next((node for node in self.root.walk() if node.ref == ref), None)

    def text(self, *, links: bool = False, options: bool = False) -> str:
        """The page in reading order.

        Elements stand in braces with their id; `links` adds the addresses of links, `options` what
        native lists offer.
        """
        lines: list[str] = []
        _write(self.root, lines, _Shown(links, options))
        return "\n".join(line for line in (_folded(line) for line in lines) if line)


def read_snapshot(url: str, title: str, text: str, *, cut: bool = False) -> PageSnapshot:
    """Parse the browser's snapshot.

    Unreadable lines count as text, so nothing is lost or misplaced.
    """
    root = PageNode("page")
    stack: list[tuple[int, PageNode]] = [(-1, root)]
    nodes: list[tuple[PageNode, PageNode]] = []
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        indent, rest = (len(found[1]), found[2]) if found else (0, line.strip())
        while len(stack) > 1 and stack[-1][0] >= indent:
            stack.pop()
        node, parent = _node(rest), stack[-1][1]
        parent.children.append(node)
        nodes.append((node, parent))
        if len(stack) < _DEPTH:
            stack.append((indent, node))
    _mark(nodes)
    return PageSnapshot(url, _folded(title)[:200], root, cut)


def _mark(nodes: list[tuple[PageNode, PageNode]]) -> None:
    """Mark actionable nodes in reverse order, so that children come before parents."""
    holding: set[int] = set()
    for node, parent in reversed(nodes):
        fake = (
            node.marks.get("cursor") == "pointer"
            and node.role in _POINTED
            and id(node) not in holding
        )
        node.interactive = bool(node.ref) and (node.role in INTERACTIVE or fake)
        if node.interactive or id(node) in holding:
            holding.add(id(parent))


def _node(rest: str) -> PageNode:
    if rest.startswith("'"):
        key, value = _quoted_key(rest)
    else:
        key, value = _split(rest)
    match = _KEY.fullmatch(key)
    if match is None:
        return PageNode("text", text=_unquoted(rest))
    marks = {name: text or "" for name, text in _MARK.findall(match["marks"])}
    name = str(json.loads(match["name"], strict=False)) if match["name"] else ""
    return PageNode(match["role"], name, marks.pop("ref", ""), marks, _unquoted(value))


def _quoted_key(rest: str) -> tuple[str, str]:
    """A key in single quotes; two quotes stand for one."""
    end = 1
    while end < len(rest):
        if rest[end] == "'":
            if rest[end + 1 : end + 2] != "'":
                break
            end += 1
        end += 1
    return rest[1:end].replace("''", "'"), rest[end + 1 :].removeprefix(":").strip()


def _split(rest: str) -> tuple[str, str]:
    """Key and value of a plain line; a colon inside the name does not end it."""
    match = _KEY.match(rest)
    if match is None:
        return rest, ""
    after = rest[match.end() :]
    if after and not after.startswith(":"):
        return rest, ""
    return match[0], after[1:].strip()


def _unquoted(value: str) -> str:
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        try:
            return str(json.loads(value, strict=False))
        except ValueError:
            return value[1:-1]
    if value.startswith("'") and value.endswith("'") and len(value) > 1:
        return value[1:-1].replace("''", "'")
    return value


def _write(node: PageNode, lines: list[str], shown: _Shown) -> None:
    """Append a node's text; a block begins a new line, other text continues the last one."""
    if node.interactive:
        _append(lines, _element(node, shown))
        for child in node.children if node.role in SELECTED else ():  # choices of an open list
            _write(child, lines, shown)
    elif node.role == "heading":
        _write_heading(node, lines, shown)
    elif node.role != "/url" and (node.role != "option" or node.ref):
        _write_block(node, lines, shown)


def _write_block(node: PageNode, lines: list[str], shown: _Shown) -> None:
    if node.role in _PARTS:
        lines.extend(["", f"[{_PARTS[node.role]}{f' {node.label}' if node.name else ''}]", ""])
    if node.role in {"cell", "columnheader", "rowheader", "gridcell"} and lines and lines[-1]:
        lines[-1] += " |"
    if node.role in _BLOCKS:
        lines.append("- " if node.role == "listitem" else "")
    before = len(lines), lines[-1] if lines else ""
    if node.text:
        _append(lines, node.text)
    for child in node.children:
        _write(child, lines, shown)
    nothing = (len(lines), lines[-1] if lines else "") == before
    if node.name and nothing and node.role not in _PARTS:
        _append(lines, f"[image: {node.label}]" if node.role == "img" else node.label)
    if node.role in _BLOCKS:
        lines.append("")


def _write_heading(node: PageNode, lines: list[str], shown: _Shown) -> None:
    level = min(6, int(node.marks.get("level") or 2))
    lines.append(f"{'#' * level} {node.name or node.content()}")
    inside = (each for child in node.children for each in child.walk())
    lines += [_element(each, shown) for each in inside if each.interactive]
    lines.append("")


def _element(node: PageNode, shown: _Shown) -> str:
    states = [
        name
        for name in ("checked", "selected", "disabled", "expanded", "pressed")
        if name in node.marks
    ]
    role = "" if node.role == "link" else f" {node.kind}"
    words = f"{{{node.ref}{role} {node.label}".rstrip()
    if node.method == "select":
        chosen = [child.name for child in node.children if "selected" in child.marks]
        states += [f"= {name[:NAME_CHARS]}" for name in chosen]
        offered = [one.name for one in node.children if one.role == "option" and not one.ref]
        if shown.options and offered:
            states.append(f"options: {' / '.join(offered[:_OPTIONS])}")
    elif node.method == "type" and (value := node.marks.get("value") or node.text) and node.name:
        states.append(f"= {_folded(value)[:NAME_CHARS]}")
    told = f"{words} ({', '.join(states)})" if states else words
    return f"{told} <{node.url}>}}" if shown.links and node.url else told + "}"


def _append(lines: list[str], text: str) -> None:
    if not lines:
        lines.append("")
    lines[-1] = f"{lines[-1]} {text}" if lines[-1] else text


def _folded(text: str) -> str:
    return " ".join(text.split())

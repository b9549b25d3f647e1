"""Patterns that the audit searches in a skill, line by line.

Every pattern is linear in the line's length.
"""

import re
from dataclasses import dataclass

from bot.workshop.review.findings import Severity


@dataclass(frozen=True)
class Rule:
    """A pattern that a reviewer should look at."""

    name: str
    severity: Severity
    pattern: re.Pattern[str]
    text: str


def _rule(name: str, severity: Severity, pattern: str, text: str) -> Rule:
    return Rule(name, severity, re.compile(pattern, re.IGNORECASE), text)


_BLOCK, _WARN, _INFO = Severity.BLOCK, Severity.WARN, Severity.INFO
_FETCH = r"\b(?:curl|wget|iwr|invoke-webrequest|invoke-restmethod)\b"
_SHELL = (
    r"(?:sudo\s+)?(?:/\S{0,40}/)?(?:ba|z|da|k|fi)?sh\b|"
    r"(?:sudo\s+)?(?:python|perl|ruby|node|osascript|iex)[\d.]{0,5}\b"
)
_PRIVATE = (
    r"(?:\.env\b|secret|password|passwd|credential|api[ _-]?key|token|private "
    r"key|cookie|memory|conversation|"
    r"transcript|environment)"
)

RULES: tuple[Rule, ...] = (
    _rule(
        "override",
        _BLOCK,
        r"\b(?:ignore|disregard|forget|override|bypass)"
        r"\b.{0,40}\b(?:previous|prior|above|earlier|system|safety|developer|your|all)\b"
        r".{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|policies|policy|restrictions?)\b",
        "tells the model to put its instructions aside",
    ),
    _rule(
        "override",
        _BLOCK,
        r"\b(?:do not|don't|never|without)\s+(?:\w+\s+){0,2}?(?:tell|telling|inform|informing"
        r"|mention|mentioning|show|"
        r"showing|ask|asking|"
        r"notify|notifying|alert|alerting|reveal|revealing)"
        r"\b.{0,30}\b(?:user|person|human|owner|operator|anyone|them)\b",
        "wants something kept from the person",
    ),
    _rule(
        "override",
        _BLOCK,
        r"<\|?(?:im_start|im_end|system|endoftext|/system)\|?>|\[/?INST\]|<<SYS>>"
        r"|^\s*(?:system|developer)\s*:\s*you\b",
        "imitates the marks of a system prompt",
    ),
    _rule(
        "override",
        _WARN,
        r"\b(?:you are now|from now on,? you|act as (?:an? "
        r")?(?:root|admin|unrestricted)|jailbreak|system prompt|"
        r"new instructions|approval (?:is )?not (?:needed|required)|already approved)\b",
        "speaks about who the model is or what it may do",
    ),
    _rule(
        "persistence",
        _BLOCK,
        r"(?:write|append|add|save|edit|insert|store|echo)"
        r"\b.{0,60}(?:SOUL\.md|MEMORY\.md|AGENTS\.md|CLAUDE\.md|/preferences/|"
        r"contacts\.yaml|policy\.yaml|bellhop\.yaml|\.bashrc|\.zshrc|\.profile|crontab"
        r"|authorized_keys|LaunchAgents|systemd)",
        "writes to a place that outlives the task",
    ),
    _rule(
        "persistence",
        _BLOCK,
        r"\b(?:crontab\s+-|launchctl\s+load|systemctl\s+(?:--user\s+)?enable)\b",
        "installs something that starts by itself",
    ),
    _rule(
        "secrets",
        _BLOCK,
        r"(?:~|\$HOME|/home/\w+|/root|%USERPROFILE%)"
        r"[/\\]\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|git-credentials|config/gcloud|env)"
        r"\b"
        r"|\bid_(?:rsa|ed25519|ecdsa)\b|\.git-credentials\b|/etc/(?:passwd|shadow)\b"
        r"|/proc/\w+/environ\b",
        "reads where keys and passwords lie",
    ),
    _rule(
        "secrets",
        _BLOCK,
        r"\b(?:cat|type|less|head|tail|read|open|source|cp|grep|upload|send|print)"
        r"\b[^\n]{0,40}(?<![\w.])\.env\b(?!\.example|\.sample|ironment)"
        r"|\bbellhop\.(?:db|sock)\b|\bBELLHOP_SECRET_KEY\b",
        "reads a file of secrets",
    ),
    _rule(
        "secrets",
        _BLOCK,
        r"\bsecurity\s+(?:find|dump)-\w+|\bkeychain\b.{0,40}\b(?:dump|password|unlock|find)"
        r"|\bsecret-tool\b|\bkwallet|"
        r"\bLogin Data\b|\bcookies\.sqlite\b|\bwallet\.dat\b|\b(?:seed|recovery) phrase\b",
        "reads a key chain, a browser's passwords or a wallet",
    ),
    _rule(
        "secrets",
        _BLOCK,
        r"\bprintenv\b|(?:^|[;&|`(]\s*)env\s*(?:$|[|>])|\bexport\s+-p\b|\bdict\(os\.environ\)"
        r"|JSON\.stringify\(process\.env\)",
        "reads the whole environment",
    ),
    _rule(
        "secrets",
        _WARN,
        r"\bos\.environ\b|\bos\.getenv\b|\bprocess\.env\b"
        r"|\$\{?\w{0,40}(?:TOKEN|SECRET|PASSWORD|API_?KEY)\w{0,20}\b",
        "uses keys of the environment, which no skill gets",
    ),
    _rule(
        "pipe-to-shell",
        _BLOCK,
        rf"{_FETCH}[^\n]{{0,400}}\|\s*(?:{_SHELL})",
        "pipes a download into a shell",
    ),
    _rule(
        "pipe-to-shell",
        _BLOCK,
        rf"(?:{_SHELL})\s+(?:-c\s+)?[\"']?(?:<\(|\$\(|`)\s*{_FETCH}|\beval\b.{{0,20}}{_FETCH}"
        rf"|\bIEX\b.{{0,20}}\bNet\.WebClient\b"
        r"|\bInvoke-Expression\b|/dev/(?:tcp|udp)/|\bn(?:et)?c(?:at)?\b\s+(?:-\w+\s+)*-e\b",
        "runs what it downloads, or opens a shell to elsewhere",
    ),
    _rule(
        "pipe-to-shell",
        _BLOCK,
        rf"\bbase64\s+(?:-d|-D|--decode)\b[^\n]{{0,80}}\|\s*(?:{_SHELL})"
        r"|\bexec\s*\(\s*(?:base64|zlib|bytes\.fromhex|codecs)",
        "runs what was hidden in another spelling",
    ),
    _rule(
        "exfiltration",
        _BLOCK,
        r"\b(?:send|post|upload|forward|transmit|exfiltrate|submit|report|append)"
        rf"\b.{{0,120}}{_PRIVATE}.{{0,120}}(?:https?://|webhook|\bpastebin)"
        rf"|{_PRIVATE}.{{0,120}}\b(?:send|post|upload|forward|transmit|exfiltrate|submit)"
        rf"\b.{{0,120}}(?:https?://|webhook|\bpastebin)",
        "sends secrets or conversations elsewhere",
    ),
    _rule(
        "exfiltration",
        _BLOCK,
        rf"{_FETCH}[^\n]{{0,200}}(?:(?:-d|--data(?:-\w+)?|-F|--form)\s*=?\s*[\"']?\S{{0,40}}[@$`]"
        r"|(?:-T|--upload-file)\s)",
        "uploads a file or a variable",
    ),
    _rule(
        "exfiltration",
        _BLOCK,
        r"!\[[^\]]{0,200}\]\(\s*https?://[^)\s]{1,400}[?&=][^)\s]{0,200}(?:\{|\$|%7B|<)",
        "an image whose address would carry data away",
    ),
    _rule(
        "exfiltration",
        _WARN,
        r"\b(?:webhook\.site|requestbin|pipedream\.net|ngrok|burpcollaborator|interactsh|oast\.\w+"
        r"|pastebin\.com|transfer\.sh|discord(?:app)?\.com/api/webhooks|hooks\.slack\.com)",
        "names a place that collects what it is sent",
    ),
    _rule(
        "network",
        _WARN,
        rf"{_FETCH}|\brequests\.(?:get|post|put)\b|\burllib\b|\bhttpx\b|\baiohttp\b"
        r"|\bfetch\(\s*[\"'`]http|\bsocket\.(?:socket|create_connection)\b"
        r"|\bnc\s+-|\bscp\s|\brsync\s",
        "talks to the network",
    ),
    _rule(
        "install",
        _BLOCK,
        r"\"(?:pre|post)?install\"\s*:\s*\"|\bpost[-_]?install\b|\bpre[-_]?install\b"
        r"|\bcmdclass\s*=",
        "a script that would run when something is installed",
    ),
    _rule(
        "install",
        _BLOCK,
        r"\b(?:paste|copy|run|execute|enter)\b.{0,60}\b(?:in|into|from)\b.{0,20}\b"
        r"(?:terminal|powershell|command prompt|console)\b"
        r"|\bpassword[- ]protected\b|\bextract\b.{0,60}\bpass(?:word)?\s*[:=]",
        "asks a person to run something by hand",
    ),
    _rule(
        "install",
        _WARN,
        r"\b(?:npm|pnpm|yarn|bun)\s+(?:i|install|add)\b|\bnpx\s|\buvx\s|\bpipx?3?\s+install\b"
        r"|\bbrew\s+install\b|\bgo\s+install\b|"
        r"\bcargo\s+install\b|\bapt(?:-get)?\s+install\b|\bgem\s+install\b",
        "installs something",
    ),
    _rule(
        "destructive",
        _BLOCK,
        r"\brm\s+(?:-\w+\s+){1,3}(?:--no-preserve-root\s+)?[\"']?(?:/|~|\$HOME|\*)|\bmkfs\b"
        r"|\bdd\s+[^\n]{0,60}of=/dev/|:\(\)\s*\{",
        "destroys files or a system",
    ),
    _rule(
        "privilege",
        _WARN,
        r"\bsudo\b|\bchmod\s+(?:\+x|[0-7]{3,4})\b|\bxattr\s+-|\bspctl\b",
        "raises rights or lifts a guard",
    ),
    _rule(
        "path-escape",
        _BLOCK,
        r"(?:\]\(|[\"'`])(?:/etc/|/root/|/proc/|/var/run/|file:///)",
        "points at files of the machine",
    ),
    _rule(
        "link",
        _BLOCK,
        r"\bhttps?://(?!127\.0\.0\.1\b)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b",
        "a link to a bare address",
    ),
    _rule(
        "link",
        _WARN,
        r"\bhttps?://[^/\s@]{1,100}@|\bhttps?://[^/\s]{0,100}xn--",
        "a link that hides where it leads",
    ),
    _rule(
        "link",
        _WARN,
        r"\bhttps?://(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|rb\.gy|cutt\.ly|glot\.io"
        r"|rentry\.co)\b",
        "a short link that hides where it leads",
    ),
    _rule("link", _INFO, r"\bhttps?://[\w.-]{1,200}", "a link out"),
    _rule(
        "blob",
        _WARN,
        r"[A-Za-z0-9+/]{160,}={0,2}|(?:\\x[0-9a-f]{2}){40,}|\b[0-9a-f]{200,}\b",
        "a long encoded text",
    ),
    _rule(
        "blob",
        _WARN,
        r"\batob\(|\bb64decode\b|\bbase64\s+(?:-d|-D|--decode)\b|\bfromCharCode\b|\bunhexlify\b",
        "decodes a text",
    ),
    _rule(
        "hidden-text",
        _WARN,
        r"<!--|display\s*:\s*none|font-size\s*:\s*0",
        "text that a rendered page would not show",
    ),
)

"""What our own plug-ins add to the command line, without importing anything that is heavy.

`OWN_COMMANDS` are those of our own plug-ins. `bellhop --help` lists them, and can't wait for all
plug-ins to be imported.
"""

from bot.plugin.command_line import AnyCommand
from bot.plugins.collections.command import KNOWLEDGE
from bot.plugins.demo.command import DEMO

OWN_COMMANDS: tuple[AnyCommand, ...] = (
    DEMO,
    KNOWLEDGE,
)
HOUSE_COMMANDS = frozenset(
    (
        *("approvals", "automations", "backup", "chat", "connect", "contacts", "cycles", "doctor"),
        *("examples", "export", "grants", "import", "init", "memory", "migrate", "plugins"),
        *("restore", "rights", "rotate-key", "run", "schedule", "settings", "skills"),
        *("slack-manifest", "specialist", "tools", "usage"),
    )
)
"""The commands that are no plug-in's."""
TAKEN_COMMANDS = HOUSE_COMMANDS.union(one.name for one in OWN_COMMANDS)
"""What the command of another's plug-in can't be called."""

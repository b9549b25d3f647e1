"""GitHub: repositories and issues of people who connected it."""

from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.services import Phrase, Revoking, Service

GITHUB = Service(
    id="github",
    title="GitHub",
    tools=frozenset({"github_issues", "github_search"}),
    what=Phrase("GitHub repositories and issues"),
    base_url="https://api.github.com",
    authorize_url="https://github.com/login/oauth/authorize",
    token_url="https://github.com/login/oauth/access_token",
    revoke_url="https://api.github.com/applications/{client_id}/grant",
    revoking=Revoking.GRANT,
    manage_url="https://github.com/settings/applications",
    scopes=("repo",),
    headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
)


class GitHub(Plugin[NoSettings]):
    name = "github"
    title = "GitHub repositories and issues"
    services = (GITHUB,)

    def build(self, given: Given[NoSettings]) -> Parts:
        if (client := given.clients.get(GITHUB.id)) is None:
            return Parts()
        from bot.plugins.github.connector import GitHubConnector  # noqa: PLC0415 - only where it is used

        return Parts(connectors=(GitHubConnector(given.usable, client),))

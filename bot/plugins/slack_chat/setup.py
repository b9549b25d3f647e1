"""The steps that create Bellhop's app in Slack, for `init`."""


def setup_steps() -> str:
    """The steps with Socket Mode, which needs no public address."""
    return "\n".join(
        (
            "1. bellhop slack-manifest --out slack.json",
            (
                "2. https://api.slack.com/apps > Create New App > From a manifest: choose the "
                "workspace, paste slack.json"
            ),
            "3. Install App > Install to Workspace: put the Bot User OAuth Token (xoxb-...) into "
            ".env as"
            " SLACK_BOT_TOKEN",
            "4. Basic Information > App-Level Tokens > Generate Token and Scopes, with "
            "connections:write: put the"
            " token (xapp-...) into .env as SLACK_APP_TOKEN",
            "5. bellhop.yaml: slack: {enabled: true}",
            "6. In Slack: /invite @Bellhop in each channel where it is to answer",
        )
    )

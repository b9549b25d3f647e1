"""The steps that create the bot on Telegram, for `init`."""


def setup_steps() -> list[str]:
    """With long polling, which needs no public address."""
    return [
        "1. In Telegram write to @BotFather: /newbot, then a name and a username that ends in bot",
        "2. Put the token that it gives (123456789:AA...) into .env as TELEGRAM_BOT_TOKEN",
        "3. bellhop.yaml: telegram: {enabled: true}",
        "4. Write to the bot: in a private chat it answers everything",
        "5. Add it to groups. In privacy mode it sees mentions, replies and commands there; for"
        " context, let @BotFather switch that off (/setprivacy) and add the bot anew",
        "6. To let it tell who is in a group, make it an administrator there; it needs no rights",
    ]

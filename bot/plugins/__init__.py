"""Our own plug-ins: each folder imports `bot.plugin` and nothing else of the house."""

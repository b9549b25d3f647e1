"""What is kept under a person id, counted by kind."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

BESIDE_ROWS = Phrase("what is in memory, projects or tokens")
THINGS: Mapping[str, CountedPhrase] = {
    "messages": CountedPhrase(Phrase("{count} message"), Phrase("{count} messages")),
    "todos": CountedPhrase(Phrase("{count} todo"), Phrase("{count} todos")),
    "notes": CountedPhrase(Phrase("{count} note"), Phrase("{count} notes")),
    "knowledge_entries": CountedPhrase(
        Phrase("{count} entry of knowledge"), Phrase("{count} entries of knowledge")
    ),
    "collected_documents": CountedPhrase(Phrase("{count} document"), Phrase("{count} documents")),
    "virtual_files": CountedPhrase(Phrase("{count} file"), Phrase("{count} files")),
    "meetings": CountedPhrase(Phrase("{count} meeting"), Phrase("{count} meetings")),
    "people_notes": CountedPhrase(
        Phrase("{count} note about somebody"), Phrase("{count} notes about people")
    ),
    "summaries": CountedPhrase(
        Phrase("{count} summary of a conversation"), Phrase("{count} summaries of conversations")
    ),
    "scheduled_tasks": CountedPhrase(
        Phrase("{count} scheduled task"), Phrase("{count} scheduled tasks")
    ),
    "automations": CountedPhrase(Phrase("{count} automation"), Phrase("{count} automations")),
    "grants": CountedPhrase(Phrase("{count} grant"), Phrase("{count} grants")),
    "credentials": CountedPhrase(
        Phrase("{count} connected account"), Phrase("{count} connected accounts")
    ),
}
"""What is kept under a person id, by the name of its table."""

"""/automations/README.md: instructions for the model on these files."""

PATH = "/automations/README.md"
TEXT = """\
# Automations

Each file is one automation: front matter that says what starts it, and below it the task. Every
write needs the person's yes, and they see the whole file, so use write_file. A run sees the task
and the event alone, has the role that its owner has then, and asks nobody.

## On an event: /automations/triggers/<name>.md

---
name: Bug triage
event: message
filter:
  contains: [bug, crash]
---
Sort the report by severity and say what is missing to reproduce it.

| key | meaning |
|---|---|
| event | message, reaction, poll_ended, webhook, new_person, meeting_prep, todo_assigned, \
todo_woken, email_received, email_sent, event_added, plugin |
| filter.channel | message, reaction, poll_ended: id of the watched channel, in quotes; left out: \
the one where this is written |
| filter.contains | one of these texts is in the message, whatever the case |
| filter.matches | a regular expression (RE2) that fits somewhere |
| filter.emoji | reaction: names or signs |
| filter.from | message, reaction: members (default), anyone, or a person id |
| filter.from, filter.subject | email_received: an address or @domain; texts of which one is in \
the subject |
| filter.to, filter.subject | email_sent: the same of somebody it was sent to |
| filter.label | email_received, email_sent: labels of which the mail has one, only in a connected \
mailbox |
| filter.source | plugin: the event source |
| filter.minutes | meeting_prep: how long before (default 15) |
| channel | id of the channel for answers; left out: where this is written |
| window | seconds in which events are gathered into one run (default 10) |
| enabled | false lets it rest |

email_received, email_sent, event_added and meeting_prep also look at the mailbox and calendar that
the person connected, where the file was written in a direct message; `contains` and `matches` see
the subject and the first words of such a mail. A new_person run may read that mailbox and calendar,
too.

A channel is watched, or posted in from elsewhere, only after a Partner has said `/automations on`
there. What is said in a private channel stays there. A webhook's address and secret are shown by
`bellhop automations secret ID`.

## At a time: /automations/schedules/<name>.md

---
name: Open todos
cron: "0 9 * * mon"
timezone: Europe/Berlin
---
List what is open and overdue.

Instead of `cron`, `at: "2026-12-01 15:00"` or `at: tomorrow at 9` comes once. schedule_task makes
and shows the same.
"""

"""The text columns that hold no words of people: ids, moments, names of kinds, secrets, hashes."""

INDEXES = (
    "message_words",
    "file_words",
    "document_part_words",
)
"""Full text. Its rows go with the rows that they index, and its pages are rewritten afterwards."""

KEPT_ABOUT_OTHERS = {
    "conversations": "title",
    "messages": "author_name",
    "member_reminders": "setter_name receiver_name",
}
"""Names that a platform gives to places and people: they are not the person's own."""

WORDLESS = {
    "approvals": (
        "ref session person agent tool risk state conversation asked_at expires_at decided_by"
        " decided_at session_id shown bundle"
    ),
    "attachments": "blob person",
    "audit": "at person kind tool",
    "automation_events": "automation key at origin",
    "automations": (
        "ref owner event workspace session conversation reach channel origin shown_at "
        "created_at updated_at"
    ),
    "cards": "key ref step receipt next_try_at shown reader",
    "channels": "key category visibility seen_at reply",
    "claims": "session owner",
    "collected_documents": "id collection owner digest added_at reach channel origin",
    "collections": "name roles created_at",
    "connection_waits": "person service session made_at",
    "contact_accounts": "key platform account",
    "contact_ids": "key id at",
    "conversations": "key platform workspace id place created_at updated_at channel",
    "credentials": "person service sealed stored_at lapsed_at",
    "cycle_events": "cycle_id parent_id type at session_id person agent reach channel",
    "distillations": "person agent sources made_at",
    "document_vectors": "model vector",
    "file_pieces": "owner_kind owner path",
    "file_versions": "owner_kind owner version updated_at updated_by reach channel origin kept_at",
    "file_words_unread": "owner_kind owner path",
    "forgettings": "ref person words state at",
    "grants": "ref person tool scope session_id made_by made_at approval revoked_by revoked_at",
    "home_values": "name key value at",
    "inbox": "session key due state accepted_at settled_at",
    "known_facts": "session_id updated_at",
    "member_reminders": "todo setter receiver place due zone state created_at",
    "messages": "key conversation author trust addressee at edited_at deleted_at place",
    "migrations": "name digest applied_at",
    "outbox": "key conversation person state created_at next_try_at",
    "person_values": "person name key value",
    "plugin_migrations": "plugin name digest statements applied_at",
    "plan_lines": "approval person session_id agent tool valid_until used_by",
    "plan_orders": "key scope kind",
    "questions": "step session conversation person state asked_at closed_at",
    "recovery_marks": "place platform workspace id kind position heard_at",
    "schedule_ticks": "due state claimed_at ran_at ended_at posted_at",
    "scheduled_tasks": "ref session owner conversation origin created_at reach channel spent_month",
    "schedules": "session cron zone next_due created_at",
    "session_values": "session name value",
    "sessions": "id session_key state agent role opened_at last_at ended_at end_reason dialect",
    "steps": "key state",
    "summaries": (
        "id session_id person role agent conversation reach channel trust began_at ended_at "
        "why_not distilled_at"
    ),
    "todos": (
        "id owner status priority due_date wake_at created_at updated_at completed_at agent "
        "session conversation origin reach channel repeats zone"
    ),
    "tool_requests": "person reach channel tool used_at",
    "tool_usage": "day person channel tool",
    "transcript": "session_id",
    "unanswered": "place platform workspace id kind person newest",
    "usage": "day person channel model",
    "virtual_files": "owner_kind owner version updated_at updated_by origin reach channel",
    "takeovers": "ref earlier contact platform account accounts state by at",
    "undoable": "person reach channel noun done at undone_at",
}
"""By table. What Bellhop itself wrote, ids, and what the operator named. A row of `forgettings` has
the words until its last step."""

-- How far the mailboxes and calendars that people connected were looked at for their automations.
CREATE TABLE account_cursors (
    person  TEXT NOT NULL,           -- person id
    account TEXT NOT NULL,           -- `google`, `outlook`
    kind    TEXT NOT NULL,           -- the event that was looked for
    cursor  TEXT NOT NULL,           -- as the service gave it, or a time
    PRIMARY KEY (person, account, kind)
) WITHOUT ROWID;

-- Every id that a contact ever had, so that none is given to somebody else, and the accounts that
-- it stood for. contacts.yaml says who is whom now; this remembers who was.
CREATE TABLE contact_ids (
    key         TEXT PRIMARY KEY,           -- the id without regard to case; '' when the record began
    id          TEXT NOT NULL,
    present     INTEGER NOT NULL,           -- 0 once contacts.yaml did not name it, until it is vouched for
    at          TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE contact_accounts (
    key         TEXT NOT NULL,
    platform    TEXT NOT NULL,
    account     TEXT NOT NULL,              -- as in contacts.yaml
    takes       INTEGER NOT NULL,           -- whether what was kept for the account before is the contact's
    PRIMARY KEY (key, platform, account)
) WITHOUT ROWID;

-- Acts that give what is kept under one id to a contact.
CREATE TABLE takeovers (
    ref         TEXT PRIMARY KEY,
    earlier     TEXT NOT NULL,              -- a person id
    contact     TEXT NOT NULL,
    platform    TEXT NOT NULL,              -- the contact's account that it is about; '' for a former id
    account     TEXT NOT NULL,
    accounts    TEXT NOT NULL,              -- who is asked, as JSON: [[platform, id], ...]
    state       TEXT NOT NULL,              -- asked, agreed or refused
    by          TEXT NOT NULL,
    at          TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX takeovers_by_earlier ON takeovers (earlier, contact);

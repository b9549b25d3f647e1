-- Every id that a contact ever had, so that none is given to somebody else, and the accounts that
-- it stood for. contacts.yaml says who is whom now; this remembers who was.
CREATE TABLE contact_ids (
    key         TEXT COLLATE "C" PRIMARY KEY,           -- the id without regard to case; '' when the record began
    id          TEXT COLLATE "C" NOT NULL,
    present     BIGINT NOT NULL,           -- 0 once contacts.yaml did not name it, until it is vouched for
    at          TEXT COLLATE "C" NOT NULL
);

CREATE TABLE contact_accounts (
    key         TEXT COLLATE "C" NOT NULL,
    platform    TEXT COLLATE "C" NOT NULL,
    account     TEXT COLLATE "C" NOT NULL,              -- as in contacts.yaml
    takes       BIGINT NOT NULL,           -- whether what was kept for the account before is the contact's
    PRIMARY KEY (key, platform, account)
);

-- Acts that give what is kept under one id to a contact.
CREATE TABLE takeovers (
    ref         TEXT COLLATE "C" PRIMARY KEY,
    earlier     TEXT COLLATE "C" NOT NULL,              -- a person id
    contact     TEXT COLLATE "C" NOT NULL,
    platform    TEXT COLLATE "C" NOT NULL,              -- the contact's account that it is about; '' for a former id
    account     TEXT COLLATE "C" NOT NULL,
    accounts    TEXT COLLATE "C" NOT NULL,              -- who is asked, as JSON: [[platform, id], ...]
    state       TEXT COLLATE "C" NOT NULL,              -- asked, agreed or refused
    by          TEXT COLLATE "C" NOT NULL,
    at          TEXT COLLATE "C" NOT NULL
);
CREATE INDEX takeovers_by_earlier ON takeovers (earlier, contact);

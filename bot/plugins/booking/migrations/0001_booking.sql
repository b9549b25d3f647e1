-- Pages on which strangers book a person's free times: by the hash of their link.
CREATE TABLE booking_pages (
    person TEXT PRIMARY KEY,
    link TEXT NOT NULL UNIQUE,
    sealed TEXT NOT NULL,
    envelope TEXT NOT NULL,
    zone TEXT NOT NULL,
    account TEXT NOT NULL,
    hours TEXT NOT NULL,
    length INTEGER NOT NULL,
    buffer INTEGER NOT NULL,
    updated_at TEXT NOT NULL
);

-- What was booked: `held` until the event stands in the calendar, then `made`, or `failed`.
CREATE TABLE booking_made (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    zone TEXT NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    mail TEXT NOT NULL,
    subject TEXT NOT NULL,
    state TEXT NOT NULL,
    envelope TEXT NOT NULL,
    made_at TEXT NOT NULL
);
CREATE UNIQUE INDEX booking_made_of_person ON booking_made (person, starts_at)
    WHERE state != 'failed';
CREATE INDEX booking_made_by_person ON booking_made (person);
CREATE INDEX booking_made_by_state ON booking_made (state, made_at);

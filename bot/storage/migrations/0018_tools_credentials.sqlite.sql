-- Tokens of people for services, encrypted; useless without BELLHOP_SECRET_KEY.
CREATE TABLE credentials (
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    sealed TEXT NOT NULL,
    stored_at TEXT NOT NULL,
    PRIMARY KEY (person, service)
);

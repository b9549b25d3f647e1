-- Links with which people connect a service: by the hash of their state, good once and for minutes.
CREATE TABLE connection_requests (
    state TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    sealed TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;

-- Messages that go on by themselves when their person has connected the service.
CREATE TABLE connection_waits (
    id INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    service TEXT NOT NULL,
    session TEXT NOT NULL,
    message TEXT NOT NULL,
    made_at TEXT NOT NULL
) STRICT;

CREATE INDEX connection_waits_person ON connection_waits (person, service);

-- Documents that people search together. A collection is open to roles; each document besides says who added it and
-- where, and is shown by the same rule as everything else that people keep.
CREATE TABLE collections (
    name       TEXT PRIMARY KEY,
    roles      TEXT NOT NULL,               -- as in the section Access of a tool file
    created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE collected_documents (
    seq        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    collection TEXT NOT NULL REFERENCES collections (name),
    owner      TEXT NOT NULL,               -- person id; empty: added at the command line, for everybody whom roles let in
    name       TEXT NOT NULL,
    source     TEXT NOT NULL,               -- where it came from: a path, a URL, or empty
    digest     TEXT NOT NULL,               -- SHA-256 of its bytes
    parts      INTEGER NOT NULL,
    added_at   TEXT NOT NULL,
    reach      TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel    TEXT NOT NULL,
    origin     TEXT NOT NULL
);
CREATE INDEX collected_documents_by_collection ON collected_documents (collection, source);
CREATE INDEX collected_documents_by_owner ON collected_documents (owner);

CREATE TABLE document_parts (
    id       INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES collected_documents (seq),
    place    TEXT NOT NULL,                 -- how it is cited: a heading, a page, lines
    text     TEXT NOT NULL
);
CREATE INDEX document_parts_by_document ON document_parts (document);
CREATE VIRTUAL TABLE document_part_words USING fts5 (words, around, tokenize = 'ascii');

-- What each part means to the embedder that is set now; those of another model are made anew, some at a time.
CREATE TABLE document_vectors (
    part       INTEGER PRIMARY KEY,
    model      TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    vector     BLOB NOT NULL                -- float32 of length 1, little-endian
);

CREATE TRIGGER collected_documents_deleted AFTER DELETE ON collected_documents
BEGIN
    DELETE FROM document_parts WHERE document = old.seq;
END;
CREATE TRIGGER document_parts_deleted AFTER DELETE ON document_parts
BEGIN
    DELETE FROM document_part_words WHERE rowid = old.id;
    DELETE FROM document_vectors WHERE part = old.id;
END;

-- The words of documents, in pieces, as bot/storage/stems.py writes them. They are only looked up: what is shown of a
-- document is its live text. They are read in the background; those of changed and deleted documents leave at once.
CREATE TABLE file_pieces (
    id         INTEGER PRIMARY KEY,            -- the row of its words
    owner_kind TEXT NOT NULL,
    owner      TEXT NOT NULL,
    path       TEXT NOT NULL,
    begins     INTEGER NOT NULL                -- after so many characters of the text
);
CREATE INDEX file_pieces_by_file ON file_pieces (owner_kind, owner, path);
CREATE VIRTUAL TABLE file_words USING fts5 (words, tokenize = 'ascii');

-- Documents whose words are not all read, and up to which character they are.
CREATE TABLE file_words_unread (
    owner_kind TEXT NOT NULL,
    owner      TEXT NOT NULL,
    path       TEXT NOT NULL,
    reached    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (owner_kind, owner, path)
) WITHOUT ROWID;
INSERT INTO file_words_unread (owner_kind, owner, path)
    SELECT owner_kind, owner, path FROM virtual_files WHERE path >= '/documents/' AND path < '/documents0';

CREATE TRIGGER file_words_written AFTER INSERT ON virtual_files
WHEN new.path >= '/documents/' AND new.path < '/documents0'
BEGIN
    INSERT OR IGNORE INTO file_words_unread (owner_kind, owner, path) VALUES (new.owner_kind, new.owner, new.path);
END;
CREATE TRIGGER file_words_changed AFTER UPDATE OF owner_kind, owner, path, text ON virtual_files
BEGIN
    DELETE FROM file_words WHERE rowid IN
        (SELECT id FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path);
    DELETE FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    DELETE FROM file_words_unread WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    INSERT OR IGNORE INTO file_words_unread (owner_kind, owner, path)
        SELECT new.owner_kind, new.owner, new.path WHERE new.path >= '/documents/' AND new.path < '/documents0';
END;
CREATE TRIGGER file_words_deleted AFTER DELETE ON virtual_files
BEGIN
    DELETE FROM file_words WHERE rowid IN
        (SELECT id FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path);
    DELETE FROM file_pieces WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
    DELETE FROM file_words_unread WHERE owner_kind = old.owner_kind AND owner = old.owner AND path = old.path;
END;

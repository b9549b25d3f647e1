-- The words of `messages`, one row each, as bot/storage/stems.py writes them. They are only looked up: what is shown of
-- a message is its live text. New messages are read in the background; changed and deleted ones leave at once.
CREATE VIRTUAL TABLE message_words USING fts5 (words, tokenize = 'ascii');
CREATE VIRTUAL TABLE message_terms USING fts5vocab (message_words, 'row');

CREATE TABLE message_words_reached (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    message INTEGER NOT NULL                    -- messages up to this row were read
);
INSERT INTO message_words_reached VALUES (1, 0);

-- Messages whose text changed since their words were read.
CREATE TABLE message_words_changed (message INTEGER PRIMARY KEY);

CREATE TRIGGER message_words_edited AFTER UPDATE OF text ON messages WHEN old.text IS NOT new.text
BEGIN
    DELETE FROM message_words WHERE rowid = old.id;
    INSERT OR IGNORE INTO message_words_changed VALUES (new.id);
END;
CREATE TRIGGER message_words_deleted AFTER DELETE ON messages
BEGIN
    DELETE FROM message_words WHERE rowid = old.id;
    DELETE FROM message_words_changed WHERE message = old.id;
END;

-- The index of messages now holds in which workspace each was said, by whom and to whom. So all are
-- read again, in the background; until then each is found by its words as before.
UPDATE message_words_reached SET message = 0;

-- A message of somebody whose person id changed is read again.
CREATE TRIGGER message_words_moved AFTER UPDATE OF author, addressee ON messages
WHEN old.author IS NOT new.author OR old.addressee IS NOT new.addressee
BEGIN
    INSERT OR IGNORE INTO message_words_changed VALUES (new.id);
END;

CREATE INDEX conversations_by_workspace ON conversations (platform, workspace);

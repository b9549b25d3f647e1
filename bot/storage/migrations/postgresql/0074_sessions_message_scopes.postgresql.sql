-- The index of messages now holds in which workspace each was said, by whom and to whom. So all are
-- read again, in the background; until then each is found by its words as before.
UPDATE message_words_reached SET message = 0;

-- A message of somebody whose person id changed is read again.
CREATE FUNCTION message_words_moved() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO message_words_changed VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER message_words_moved AFTER UPDATE OF author, addressee ON messages
FOR EACH ROW WHEN (OLD.author IS DISTINCT FROM NEW.author
    OR OLD.addressee IS DISTINCT FROM NEW.addressee)
EXECUTE FUNCTION message_words_moved();

CREATE INDEX conversations_by_workspace ON conversations (platform, workspace);

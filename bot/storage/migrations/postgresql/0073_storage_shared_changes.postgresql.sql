-- How often what processes keep in memory changed, by topic. Each compares the numbers with those
-- that it saw last, and reads again what is newer.
CREATE TABLE changes (
    topic TEXT COLLATE "C" PRIMARY KEY,
    number BIGINT NOT NULL
);

CREATE FUNCTION note_change() RETURNS TRIGGER
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO changes (topic, number) VALUES (TG_ARGV[0], 1)
        ON CONFLICT (topic) DO UPDATE SET number = changes.number + 1;
    RETURN NULL;
END
$$;

CREATE TRIGGER credentials_changed AFTER INSERT OR UPDATE OR DELETE ON credentials
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('accounts');
CREATE TRIGGER refused_tokens_changed AFTER INSERT OR UPDATE OR DELETE ON refused_tokens
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('accounts');
CREATE TRIGGER collections_changed AFTER INSERT OR UPDATE OR DELETE ON collections
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('collections');
CREATE TRIGGER collected_documents_changed AFTER INSERT OR UPDATE OR DELETE ON collected_documents
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('collections');
CREATE TRIGGER lives_changed AFTER INSERT OR UPDATE OR DELETE ON lives
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('lives');
CREATE TRIGGER outbox_changed AFTER INSERT OR UPDATE OR DELETE ON outbox
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('outbox');
CREATE TRIGGER custom_skills_written AFTER INSERT OR UPDATE ON virtual_files
    FOR EACH ROW WHEN (NEW.path LIKE '/custom-skills/%')
    EXECUTE FUNCTION note_change('custom_skills');
CREATE TRIGGER custom_skills_removed AFTER DELETE ON virtual_files
    FOR EACH ROW WHEN (OLD.path LIKE '/custom-skills/%')
    EXECUTE FUNCTION note_change('custom_skills');

-- Mail and sign-ins, which plug-ins keep, compared text by the server's language.
ALTER TABLE IF EXISTS mail_received
    ALTER COLUMN id TYPE TEXT COLLATE "C",
    ALTER COLUMN mailbox TYPE TEXT COLLATE "C",
    ALTER COLUMN owner TYPE TEXT COLLATE "C",
    ALTER COLUMN reach TYPE TEXT COLLATE "C",
    ALTER COLUMN channel TYPE TEXT COLLATE "C",
    ALTER COLUMN sender TYPE TEXT COLLATE "C",
    ALTER COLUMN subject TYPE TEXT COLLATE "C",
    ALTER COLUMN text TYPE TEXT COLLATE "C",
    ALTER COLUMN received_at TYPE TEXT COLLATE "C",
    ALTER COLUMN read_at TYPE TEXT COLLATE "C";
ALTER TABLE IF EXISTS mail_sent
    ALTER COLUMN token TYPE TEXT COLLATE "C",
    ALTER COLUMN owner TYPE TEXT COLLATE "C",
    ALTER COLUMN mailbox TYPE TEXT COLLATE "C",
    ALTER COLUMN sent_to TYPE TEXT COLLATE "C",
    ALTER COLUMN subject TYPE TEXT COLLATE "C",
    ALTER COLUMN reach TYPE TEXT COLLATE "C",
    ALTER COLUMN channel TYPE TEXT COLLATE "C",
    ALTER COLUMN sent_at TYPE TEXT COLLATE "C";
ALTER TABLE IF EXISTS console_links
    ALTER COLUMN hash TYPE TEXT COLLATE "C",
    ALTER COLUMN person TYPE TEXT COLLATE "C",
    ALTER COLUMN name TYPE TEXT COLLATE "C",
    ALTER COLUMN role TYPE TEXT COLLATE "C",
    ALTER COLUMN found_by TYPE TEXT COLLATE "C",
    ALTER COLUMN expires_at TYPE TEXT COLLATE "C";
ALTER TABLE IF EXISTS console_sessions
    ALTER COLUMN hash TYPE TEXT COLLATE "C",
    ALTER COLUMN person TYPE TEXT COLLATE "C",
    ALTER COLUMN name TYPE TEXT COLLATE "C",
    ALTER COLUMN role TYPE TEXT COLLATE "C",
    ALTER COLUMN found_by TYPE TEXT COLLATE "C",
    ALTER COLUMN expires_at TYPE TEXT COLLATE "C";

-- Numbers of rows that were copied go on behind the last; what was kept of words goes.
SELECT setval(pg_get_serial_sequence('meetings_kept', 'seq'), max(seq))
    FROM meetings_kept HAVING max(seq) > 0;
SELECT setval(pg_get_serial_sequence('meetings_texts', 'seq'), max(seq))
    FROM meetings_texts HAVING max(seq) > 0;
DROP FUNCTION meeting_texts_text(TEXT);
DELETE FROM word_terms WHERE source = 'meeting_texts_text';
DELETE FROM word_totals WHERE source = 'meeting_texts_text';

CREATE TRIGGER lives_changed AFTER INSERT OR UPDATE ON home_values
    FOR EACH ROW WHEN (NEW.name = 'life') EXECUTE FUNCTION note_change('lives');
CREATE TRIGGER lives_removed AFTER DELETE ON home_values
    FOR EACH ROW WHEN (OLD.name = 'life') EXECUTE FUNCTION note_change('lives');

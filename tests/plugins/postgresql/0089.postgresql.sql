-- A new home of 29 November 2026 (migration 0089) on a PostgreSQL server, with the tables of our own
-- plug-ins.
CREATE SCHEMA bellhop;
SET search_path TO bellhop;

-- What a server needs before the tables that are made of schema.sql: tables of its own, and functions
-- that statements and triggers call.

-- The last transaction of each process that writes: whether one was stored whose COMMIT was never
-- answered is looked up here.
CREATE TABLE commits (
    writer TEXT COLLATE "C" PRIMARY KEY,
    batch BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
);

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

-- SQLite's functions that statements use, so that each statement has one text.

CREATE FUNCTION max(one BIGINT, other BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE STRICT
AS 'SELECT greatest(one, other)';

CREATE FUNCTION min(one TEXT, other TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT
AS 'SELECT least(one COLLATE "C", other COLLATE "C")';

CREATE FUNCTION instr(text TEXT, part TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE STRICT
AS 'SELECT strpos(text, part)::bigint';

CREATE FUNCTION lower(text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT
AS 'SELECT pg_catalog.lower(text COLLATE "C")';

CREATE FUNCTION substr(text TEXT, start BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT
AS 'SELECT pg_catalog.substr(text, start::int)';

CREATE FUNCTION substr(text TEXT, start BIGINT, count BIGINT) RETURNS TEXT
LANGUAGE sql IMMUTABLE STRICT
AS 'SELECT pg_catalog.substr(text, start::int, count::int)';

-- JSON may name the character 0, which no text here can hold.
CREATE FUNCTION json_of(text TEXT) RETURNS JSON LANGUAGE sql IMMUTABLE STRICT
AS $$
    SELECT CASE
        WHEN strpos(text, '\u0000') = 0 THEN text
        ELSE regexp_replace(text, '(^|[^\\])((?:\\\\)*)\\u0000', '\1\2\\ufffd', 'g')
    END::json
$$;

CREATE FUNCTION json_extract(text TEXT, path TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT
AS $$ SELECT json_of(text) #>> string_to_array(pg_catalog.substr(path, 3), '.') $$;

CREATE FUNCTION json_each(text TEXT) RETURNS TABLE (key BIGINT, value TEXT)
LANGUAGE sql IMMUTABLE STRICT ROWS 20
AS $$
    SELECT one.at - 1, one.value
    FROM json_array_elements_text(json_of(text)) WITH ORDINALITY AS one (value, at)
$$;

CREATE FUNCTION json_text(list TEXT[]) RETURNS TEXT LANGUAGE sql IMMUTABLE
AS 'SELECT array_to_json(list)::text';

CREATE AGGREGATE json_group_array(TEXT) (
    SFUNC = array_append, STYPE = TEXT[], INITCOND = '{}', FINALFUNC = json_text
);

-- The server gives space back by itself.
CREATE FUNCTION pragma_freelist_count() RETURNS TABLE (freelist_count BIGINT)
LANGUAGE sql IMMUTABLE
AS 'SELECT 0::bigint';

-- Full text. A table of words holds texts that bot/storage made of words; the function of its name
-- finds rows by a MATCH expression and ranks them by BM25, as FTS5 does.

CREATE TEXT SEARCH DICTIONARY porter (TEMPLATE = snowball, LANGUAGE = porter);

-- How many rows and words each table of words has, and how many rows hold each word.
CREATE TABLE word_totals (
    source TEXT COLLATE "C" PRIMARY KEY,
    documents BIGINT NOT NULL,
    words BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE word_terms (
    source TEXT COLLATE "C",
    term TEXT COLLATE "C",
    doc BIGINT NOT NULL,
    PRIMARY KEY (source, term)
) WITH (fillfactor = 70);

-- The words of a text in their order; `stemmed` as FTS5's porter does it.
CREATE FUNCTION words_of(text TEXT, stemmed BOOLEAN) RETURNS TEXT[] LANGUAGE sql STABLE
AS $$
    SELECT coalesce(array_agg(
        CASE WHEN stemmed THEN coalesce((ts_lexize('porter', word))[1], word) ELSE word END
        ORDER BY at), '{}')
    FROM regexp_split_to_table(lower(text), '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+')
        WITH ORDINALITY AS one (word, at)
    WHERE word <> '' AND octet_length(word) < 2000
$$;

-- `mark` tells in which column the words are: A or B. A tsvector holds at most 1 MB: of a longer
-- text the words at its beginning are found, as many as fit.
CREATE FUNCTION words_vector(words TEXT[], mark TEXT) RETURNS TSVECTOR
LANGUAGE plpgsql STABLE
AS $$
DECLARE
    taken BIGINT := cardinality(words);
BEGIN
    LOOP
        BEGIN
            RETURN (
                SELECT coalesce(string_agg(
                    quote_literal(word) || ':' || least(at, 16383) || mark, ' '), '')::tsvector
                FROM unnest(words[1:taken]) WITH ORDINALITY AS one (word, at)
            );
        EXCEPTION WHEN program_limit_exceeded THEN
            taken := taken * 4 / 5;
        END;
    END LOOP;
END
$$;

-- A MATCH expression of quoted words, OR, AND and parentheses.
CREATE FUNCTION words_query(expression TEXT, stemmed BOOLEAN) RETURNS TSQUERY LANGUAGE sql STABLE
AS $$
    SELECT string_agg(CASE part[1]
        WHEN 'OR' THEN '|'
        WHEN 'AND' THEN '&'
        WHEN '(' THEN '('
        WHEN ')' THEN ')'
        ELSE quote_literal((words_of(part[1], stemmed))[1])
            || CASE WHEN part[1] LIKE '%*' THEN ':*' ELSE '' END
    END, ' ' ORDER BY at)::tsquery
    FROM regexp_matches(expression, '"[^"]+"\*?|[()]|OR|AND', 'g') WITH ORDINALITY AS one (part, at)
$$;

-- What a query needs to rank rows: its words, how rare each is, and how long rows are on average.
CREATE TYPE words_plan AS (
    words TEXT[], prefixes BOOLEAN[], rarities DOUBLE PRECISION[], average DOUBLE PRECISION
);

CREATE FUNCTION words_holding(source TEXT, word TEXT, prefix BOOLEAN) RETURNS BIGINT
LANGUAGE plpgsql STABLE
AS $$
DECLARE
    held BIGINT;
BEGIN
    IF prefix THEN
        EXECUTE format('SELECT count(*) FROM %I WHERE tokens @@ $1', source)
            INTO held USING (quote_literal(word) || ':*')::tsquery;
    ELSE
        SELECT doc INTO held FROM word_terms AS t WHERE t.source = $1 AND t.term = word;
    END IF;
    RETURN coalesce(held, 0);
END
$$;

CREATE FUNCTION words_planned(source TEXT, expression TEXT, stemmed BOOLEAN) RETURNS words_plan
LANGUAGE sql STABLE
AS $$
    SELECT ROW(
        array_agg(word), array_agg(prefix),
        array_agg(greatest(ln((total.documents - held + 0.5) / (held + 0.5)), 1e-6)),
        pg_catalog.max(total.words::double precision / total.documents)
    )::words_plan
    FROM (
        SELECT (words_of(part[1], stemmed))[1] AS word, part[1] LIKE '%*' AS prefix
        FROM regexp_matches(expression, '"[^"]+"\*?', 'g') AS one (part)
    ) AS wanted
    CROSS JOIN LATERAL (
        SELECT words_holding(words_planned.source, word, prefix)::double precision AS held
    ) AS known
    JOIN word_totals AS total ON total.source = words_planned.source AND total.documents > 0
    WHERE word IS NOT NULL
$$;

-- BM25 with k1 = 1.2 and b = 0.75, negative as in FTS5: the best row sorts first.
CREATE FUNCTION words_rank(
    tokens TSVECTOR, size BIGINT, plan words_plan, weights DOUBLE PRECISION[]
) RETURNS DOUBLE PRECISION LANGUAGE sql IMMUTABLE
AS $$
    SELECT -coalesce(sum(
        rarity * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * size / plan.average))), 0)
    FROM (
        SELECT wanted.rarity, sum((
            SELECT sum(CASE mark WHEN 'A' THEN weights[1] ELSE weights[2] END)
            FROM unnest(held.marks) AS mark
        )) AS often
        FROM (
            SELECT * FROM unnest(plan.words, plan.prefixes, plan.rarities)
                WITH ORDINALITY AS one (word, prefix, rarity, at)
        ) AS wanted
        JOIN unnest(tokens) AS held (lexeme, positions, marks)
            ON held.lexeme = wanted.word
            OR (wanted.prefix AND starts_with(held.lexeme, wanted.word))
        GROUP BY wanted.at, wanted.rarity
    ) AS found
$$;

CREATE FUNCTION words_counted() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
DECLARE
    sign BIGINT := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO word_totals AS kept (source, documents, words)
        SELECT TG_TABLE_NAME, sign * count(*), sign * coalesce(sum(size), 0) FROM touched
        ON CONFLICT (source) DO UPDATE SET
            documents = kept.documents + excluded.documents, words = kept.words + excluded.words;
    INSERT INTO word_terms AS kept (source, term, doc)
        SELECT TG_TABLE_NAME, term, sign * count(*)
        FROM touched, unnest(tsvector_to_array(tokens)) AS term GROUP BY term
        ON CONFLICT (source, term) DO UPDATE SET doc = kept.doc + excluded.doc;
    RETURN NULL;
END
$$;

CREATE FUNCTION words_taken() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
DECLARE
    words TEXT[];
    around TEXT[] := '{}';
BEGIN
    IF TG_ARGV[0] = 'body' THEN
        words := words_of(NEW.body, TRUE);
    ELSE
        words := words_of(NEW.words, FALSE);
    END IF;
    IF TG_ARGV[1] = 'around' THEN
        around := words_of(NEW.around, FALSE);
    END IF;
    NEW.tokens := words_vector(words, 'A') || words_vector(around, 'B');
    NEW.size := cardinality(words) + cardinality(around);
    RETURN NEW;
END
$$;

CREATE TABLE migrations (number BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, name TEXT COLLATE "C" NOT NULL, digest TEXT COLLATE "C" NOT NULL, applied_at TEXT COLLATE "C" NOT NULL);
CREATE TABLE home_values (name TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL, value TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL, PRIMARY KEY (name, key));
CREATE TABLE person_values (person TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL, value TEXT COLLATE "C" NOT NULL, PRIMARY KEY (person, name, key));
CREATE TABLE plugin_migrations (plugin TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL, digest TEXT COLLATE "C" NOT NULL, statements TEXT COLLATE "C" NOT NULL, applied_at TEXT COLLATE "C" NOT NULL, PRIMARY KEY (plugin, number));
CREATE TABLE inbox (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, session TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL UNIQUE, body TEXT COLLATE "C" NOT NULL, due TEXT COLLATE "C", state TEXT COLLATE "C" NOT NULL, attempts BIGINT NOT NULL DEFAULT 0, stop BIGINT NOT NULL DEFAULT 0, error TEXT COLLATE "C", joined_to BIGINT, accepted_at TEXT COLLATE "C" NOT NULL, settled_at TEXT COLLATE "C", deaths BIGINT NOT NULL DEFAULT 0, trial BIGINT NOT NULL DEFAULT 0);
CREATE INDEX inbox_open ON inbox (session, id) WHERE settled_at IS NULL;
CREATE INDEX inbox_settled ON inbox (settled_at) WHERE settled_at IS NOT NULL;
CREATE TABLE steps (turn BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL, value TEXT COLLATE "C", PRIMARY KEY (turn, key));
CREATE TABLE claims (session TEXT COLLATE "C" PRIMARY KEY, owner TEXT COLLATE "C" NOT NULL, epoch BIGINT NOT NULL);
CREATE TABLE questions (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, turn BIGINT NOT NULL, step TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL, options TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL, asked_at TEXT COLLATE "C" NOT NULL, closed_at TEXT COLLATE "C");
CREATE INDEX questions_open ON questions (conversation, person) WHERE state = 'open';
CREATE INDEX questions_by_turn ON questions (turn);
CREATE TABLE schedules (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, session TEXT COLLATE "C" NOT NULL, body TEXT COLLATE "C" NOT NULL, cron TEXT COLLATE "C", zone TEXT COLLATE "C" NOT NULL, next_due TEXT COLLATE "C", paused BIGINT NOT NULL DEFAULT 0, created_at TEXT COLLATE "C" NOT NULL);
CREATE INDEX schedules_by_due ON schedules (next_due) WHERE next_due IS NOT NULL AND paused = 0;
CREATE INDEX schedules_by_session ON schedules (session);
CREATE TABLE schedule_ticks (schedule BIGINT NOT NULL, due TEXT COLLATE "C" NOT NULL, turn BIGINT, state TEXT COLLATE "C" NOT NULL, detail TEXT COLLATE "C" NOT NULL DEFAULT '', claimed_at TEXT COLLATE "C" NOT NULL, ran_at TEXT COLLATE "C", ended_at TEXT COLLATE "C", posted_at TEXT COLLATE "C", PRIMARY KEY (schedule, due));
CREATE INDEX schedule_ticks_by_turn ON schedule_ticks (turn);
CREATE TABLE scheduled_tasks (ref TEXT COLLATE "C" PRIMARY KEY, session TEXT COLLATE "C" NOT NULL UNIQUE, owner TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, prompt TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, failures BIGINT NOT NULL DEFAULT 0, paused_why TEXT COLLATE "C" NOT NULL DEFAULT '', created_at TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', budget_calls BIGINT, spent_month TEXT COLLATE "C" NOT NULL DEFAULT '', spent_nano_usd BIGINT NOT NULL DEFAULT 0, spent_calls BIGINT NOT NULL DEFAULT 0);
CREATE INDEX scheduled_tasks_by_owner ON scheduled_tasks (owner);
CREATE TABLE conversations (key TEXT COLLATE "C" PRIMARY KEY, platform TEXT COLLATE "C" NOT NULL, workspace TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, place TEXT COLLATE "C" NOT NULL, title TEXT COLLATE "C" NOT NULL DEFAULT '', private BIGINT NOT NULL, followed BIGINT NOT NULL DEFAULT 0, created_at TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, channel TEXT COLLATE "C" NOT NULL DEFAULT '');
CREATE INDEX conversations_by_workspace ON conversations (platform, workspace);
CREATE TABLE messages (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, key TEXT COLLATE "C" NOT NULL UNIQUE, conversation TEXT COLLATE "C" NOT NULL, author TEXT COLLATE "C" NOT NULL, author_name TEXT COLLATE "C" NOT NULL, trust TEXT COLLATE "C" NOT NULL, addressee TEXT COLLATE "C" NOT NULL DEFAULT '', text TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL, edited_at TEXT COLLATE "C", deleted_at TEXT COLLATE "C", place TEXT COLLATE "C" NOT NULL DEFAULT '', aside BIGINT NOT NULL DEFAULT 0);
CREATE INDEX messages_by_conversation ON messages (conversation, id);
CREATE INDEX messages_by_place ON messages (place, at) WHERE place <> '';
CREATE INDEX messages_by_author ON messages (author, conversation);
CREATE INDEX messages_by_addressee ON messages (addressee, id) WHERE addressee <> '';
CREATE TABLE message_words (
    rowid BIGINT PRIMARY KEY, words TEXT COLLATE "C" NOT NULL, tokens TSVECTOR NOT NULL, size BIGINT NOT NULL
);
CREATE INDEX message_words_tokens ON message_words USING gin (tokens);
CREATE TRIGGER message_words_taken BEFORE INSERT ON message_words
FOR EACH ROW EXECUTE FUNCTION words_taken('words', '');
CREATE TRIGGER message_words_counted AFTER INSERT ON message_words
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE TRIGGER message_words_uncounted AFTER DELETE ON message_words
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE FUNCTION message_words(expression TEXT)
RETURNS TABLE (rowid BIGINT, words TEXT, rank DOUBLE PRECISION) LANGUAGE sql STABLE
AS $$
    SELECT w.rowid, w.words, words_rank(
        w.tokens, w.size, (SELECT words_planned('message_words', expression, FALSE)),
        '{1}')
    FROM message_words AS w WHERE w.tokens @@ (SELECT words_query(expression, FALSE))
$$;
CREATE VIEW message_terms AS SELECT term, doc FROM word_terms WHERE source = 'message_words' AND doc > 0;
CREATE TABLE message_words_changed (message BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY);
CREATE TABLE channels (key TEXT COLLATE "C" PRIMARY KEY, category TEXT COLLATE "C" NOT NULL, visibility TEXT COLLATE "C" NOT NULL, was_private BIGINT NOT NULL, seen_at TEXT COLLATE "C" NOT NULL, reply TEXT COLLATE "C" NOT NULL DEFAULT '');
CREATE TABLE sessions (id TEXT COLLATE "C" PRIMARY KEY, session_key TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, role TEXT COLLATE "C" NOT NULL, epoch BIGINT NOT NULL, opened_at TEXT COLLATE "C" NOT NULL, last_at TEXT COLLATE "C" NOT NULL, ended_at TEXT COLLATE "C", end_reason TEXT COLLATE "C", system TEXT COLLATE "C" NOT NULL, tools TEXT COLLATE "C" NOT NULL, unlocked TEXT COLLATE "C" NOT NULL DEFAULT '[]', active_skills TEXT COLLATE "C" NOT NULL DEFAULT '[]', untold_facts TEXT COLLATE "C" NOT NULL DEFAULT '[]', seen_message BIGINT NOT NULL DEFAULT 0, next_seq BIGINT NOT NULL DEFAULT 0, private BIGINT NOT NULL, input_tokens BIGINT NOT NULL DEFAULT 0, output_tokens BIGINT NOT NULL DEFAULT 0, context_tokens BIGINT NOT NULL DEFAULT 0, dialect TEXT COLLATE "C" NOT NULL DEFAULT '', summarised_epoch BIGINT NOT NULL DEFAULT 0, shared BIGINT NOT NULL DEFAULT 0, rewritten BIGINT NOT NULL DEFAULT 0);
CREATE UNIQUE INDEX one_open_session ON sessions (session_key) WHERE state = 'open';
CREATE INDEX sessions_by_key ON sessions (session_key, opened_at);
CREATE INDEX sessions_to_summarise ON sessions (last_at) WHERE summarised_epoch < CASE WHEN state = 'open' THEN epoch - 1 ELSE epoch END;
CREATE TABLE transcript (session_id TEXT COLLATE "C" NOT NULL, epoch BIGINT NOT NULL, seq BIGINT NOT NULL, turn BIGINT NOT NULL, message TEXT COLLATE "C" NOT NULL, PRIMARY KEY (session_id, epoch, seq));
CREATE TABLE attachments (turn BIGINT NOT NULL, position BIGINT NOT NULL, name TEXT COLLATE "C" NOT NULL, mime TEXT COLLATE "C" NOT NULL, size BIGINT NOT NULL, blob TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL DEFAULT '', PRIMARY KEY (turn, position));
CREATE INDEX attachments_person ON attachments (person);
CREATE TABLE outbox (key TEXT COLLATE "C" PRIMARY KEY, conversation TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, message TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL, attempts BIGINT NOT NULL, error TEXT COLLATE "C" NOT NULL DEFAULT '', created_at TEXT COLLATE "C" NOT NULL, next_try_at TEXT COLLATE "C" NOT NULL);
CREATE INDEX outbox_pending ON outbox (next_try_at) WHERE state = 'pending';
CREATE TABLE cards (key TEXT COLLATE "C" PRIMARY KEY, ref TEXT COLLATE "C" NOT NULL, step TEXT COLLATE "C" NOT NULL DEFAULT '', message TEXT COLLATE "C" NOT NULL, receipt TEXT COLLATE "C", line TEXT COLLATE "C" NOT NULL DEFAULT '', attempts BIGINT NOT NULL DEFAULT 0, next_try_at TEXT COLLATE "C", shown TEXT COLLATE "C" NOT NULL DEFAULT '', reader TEXT COLLATE "C" NOT NULL DEFAULT '');
CREATE INDEX cards_by_ref ON cards (ref);
CREATE INDEX cards_to_close ON cards (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE TABLE open_drafts (id TEXT COLLATE "C" PRIMARY KEY, platform TEXT COLLATE "C" NOT NULL, channel TEXT COLLATE "C" NOT NULL, thread TEXT COLLATE "C" NOT NULL, answers TEXT COLLATE "C" NOT NULL, message TEXT COLLATE "C" NOT NULL);
CREATE TABLE lives (after_turn BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, identity TEXT COLLATE "C" NOT NULL);
CREATE TABLE recovery_marks (place TEXT COLLATE "C" PRIMARY KEY, platform TEXT COLLATE "C" NOT NULL, workspace TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, position TEXT COLLATE "C" NOT NULL, heard_at TEXT COLLATE "C" NOT NULL);
CREATE INDEX recovery_marks_by_time ON recovery_marks (platform, heard_at);
CREATE TABLE unanswered (place TEXT COLLATE "C" PRIMARY KEY, platform TEXT COLLATE "C" NOT NULL, workspace TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, messages BIGINT NOT NULL, person TEXT COLLATE "C" NOT NULL, newest TEXT COLLATE "C" NOT NULL);
CREATE TABLE claim_codes (hash TEXT COLLATE "C" PRIMARY KEY, operator TEXT COLLATE "C" NOT NULL, expires_at TEXT COLLATE "C" NOT NULL);
CREATE TABLE claim_tries (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, sender TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL);
CREATE TABLE contact_ids (key TEXT COLLATE "C" PRIMARY KEY, id TEXT COLLATE "C" NOT NULL, present BIGINT NOT NULL, at TEXT COLLATE "C" NOT NULL);
CREATE TABLE contact_accounts (key TEXT COLLATE "C" NOT NULL, platform TEXT COLLATE "C" NOT NULL, account TEXT COLLATE "C" NOT NULL, takes BIGINT NOT NULL, PRIMARY KEY (key, platform, account));
CREATE TABLE takeovers (ref TEXT COLLATE "C" PRIMARY KEY, earlier TEXT COLLATE "C" NOT NULL, contact TEXT COLLATE "C" NOT NULL, platform TEXT COLLATE "C" NOT NULL, account TEXT COLLATE "C" NOT NULL, accounts TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL, by TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL);
CREATE INDEX takeovers_by_earlier ON takeovers (earlier, contact);
CREATE TABLE member_reminders (todo TEXT COLLATE "C" PRIMARY KEY, setter TEXT COLLATE "C" NOT NULL, receiver TEXT COLLATE "C" NOT NULL, setter_name TEXT COLLATE "C" NOT NULL, receiver_name TEXT COLLATE "C" NOT NULL, place TEXT COLLATE "C" NOT NULL, due TEXT COLLATE "C" NOT NULL, zone TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL CHECK (state IN ('asking', 'set', 'delivered', 'undelivered', 'refused', 'stopped')), created_at TEXT COLLATE "C" NOT NULL);
CREATE INDEX member_reminders_by_receiver ON member_reminders (receiver, setter);
CREATE INDEX member_reminders_by_setter ON member_reminders (setter, created_at);
CREATE TABLE polls (key TEXT COLLATE "C" PRIMARY KEY, owner TEXT COLLATE "C" NOT NULL, asked_in TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, place TEXT COLLATE "C" NOT NULL, trust TEXT COLLATE "C" NOT NULL, ends_at TEXT COLLATE "C" NOT NULL, made_at TEXT COLLATE "C" NOT NULL);
CREATE INDEX polls_by_conversation ON polls (asked_in, made_at);
CREATE INDEX polls_by_end ON polls (ends_at);
CREATE TABLE forgettings (ref TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, words TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL);
CREATE TABLE booking_pages (person TEXT COLLATE "C" PRIMARY KEY, link TEXT COLLATE "C" NOT NULL UNIQUE, sealed TEXT COLLATE "C" NOT NULL, envelope TEXT COLLATE "C" NOT NULL, zone TEXT COLLATE "C" NOT NULL, account TEXT COLLATE "C" NOT NULL, hours TEXT COLLATE "C" NOT NULL, length BIGINT NOT NULL, buffer BIGINT NOT NULL, updated_at TEXT COLLATE "C" NOT NULL);
CREATE TABLE bookings (id TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, starts_at TEXT COLLATE "C" NOT NULL, ends_at TEXT COLLATE "C" NOT NULL, zone TEXT COLLATE "C" NOT NULL, account TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, mail TEXT COLLATE "C" NOT NULL, subject TEXT COLLATE "C" NOT NULL, state TEXT COLLATE "C" NOT NULL, envelope TEXT COLLATE "C" NOT NULL, made_at TEXT COLLATE "C" NOT NULL);
CREATE UNIQUE INDEX bookings_person ON bookings (person, starts_at) WHERE state != 'failed';
CREATE INDEX bookings_state ON bookings (state, made_at);
CREATE TABLE cycle_events (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, cycle_id TEXT COLLATE "C" NOT NULL, parent_id TEXT COLLATE "C", turn BIGINT NOT NULL, step TEXT COLLATE "C" NOT NULL, type TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL, session_id TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, private BIGINT NOT NULL, duration_ms BIGINT, data TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '');
CREATE INDEX cycle_events_of_step ON cycle_events (turn, step);
CREATE INDEX cycle_events_of_person ON cycle_events (person, id) WHERE type = 'cycle_start';
CREATE INDEX cycle_events_of_parent ON cycle_events (parent_id) WHERE type = 'agent_cycle_start';
CREATE INDEX cycle_events_start ON cycle_events (cycle_id, turn) WHERE type IN ('cycle_start', 'agent_cycle_start');
CREATE TABLE plan_orders (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, key TEXT COLLATE "C" NOT NULL UNIQUE, turn BIGINT NOT NULL, scope TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL, taken BIGINT NOT NULL DEFAULT 0);
CREATE INDEX plan_orders_turn ON plan_orders (turn);
CREATE TABLE refused_content (model TEXT COLLATE "C" NOT NULL, what TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL, PRIMARY KEY (model, what));
CREATE TABLE approvals (ref TEXT COLLATE "C" PRIMARY KEY, session TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, tool TEXT COLLATE "C" NOT NULL, arguments TEXT COLLATE "C" NOT NULL, risk TEXT COLLATE "C", reason TEXT COLLATE "C" NOT NULL, approver_rank BIGINT NOT NULL, state TEXT COLLATE "C" NOT NULL, private BIGINT NOT NULL, conversation TEXT COLLATE "C" NOT NULL, envelope TEXT COLLATE "C" NOT NULL, asked_at TEXT COLLATE "C" NOT NULL, expires_at TEXT COLLATE "C" NOT NULL, decided_by TEXT COLLATE "C", decided_at TEXT COLLATE "C", session_id TEXT COLLATE "C" NOT NULL DEFAULT '', targets TEXT COLLATE "C" NOT NULL DEFAULT '[]', stems TEXT COLLATE "C" NOT NULL DEFAULT '[]', shown TEXT COLLATE "C" NOT NULL DEFAULT '', bundle TEXT COLLATE "C" NOT NULL DEFAULT '', about TEXT COLLATE "C" NOT NULL DEFAULT '{}');
CREATE INDEX approvals_open ON approvals (expires_at) WHERE state = 'open';
CREATE INDEX approvals_by_session ON approvals (session, state);
CREATE INDEX approvals_by_person ON approvals (person, tool, asked_at);
CREATE TABLE plan_lines (approval TEXT COLLATE "C" NOT NULL, line BIGINT NOT NULL, person TEXT COLLATE "C" NOT NULL, session_id TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, tool TEXT COLLATE "C" NOT NULL, arguments TEXT COLLATE "C" NOT NULL, valid_until TEXT COLLATE "C" NOT NULL, used_by TEXT COLLATE "C" NOT NULL DEFAULT '', rank BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (approval, line));
CREATE INDEX plan_lines_of_session ON plan_lines (person, session_id, tool);
CREATE TABLE grants (ref TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, tool TEXT COLLATE "C" NOT NULL, scope TEXT COLLATE "C" NOT NULL, session_id TEXT COLLATE "C" NOT NULL, targets TEXT COLLATE "C" NOT NULL, rank BIGINT NOT NULL, made_by TEXT COLLATE "C" NOT NULL, made_at TEXT COLLATE "C" NOT NULL, approval TEXT COLLATE "C" NOT NULL, revoked_by TEXT COLLATE "C", revoked_at TEXT COLLATE "C");
CREATE INDEX grants_in_force ON grants (person, tool) WHERE revoked_at IS NULL;
CREATE TABLE audit (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, at TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, tool TEXT COLLATE "C" NOT NULL, detail TEXT COLLATE "C" NOT NULL DEFAULT '');
CREATE INDEX audit_by_time ON audit (at);
CREATE TABLE usage (day TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, channel TEXT COLLATE "C" NOT NULL, model TEXT COLLATE "C" NOT NULL, calls BIGINT NOT NULL, input_tokens BIGINT NOT NULL, cache_read_tokens BIGINT NOT NULL, cache_write_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL, nano_usd BIGINT NOT NULL, unpriced BIGINT NOT NULL, stranger_calls BIGINT NOT NULL DEFAULT 0, stranger_nano_usd BIGINT NOT NULL DEFAULT 0, handed_calls BIGINT NOT NULL DEFAULT 0, handed_tokens BIGINT NOT NULL DEFAULT 0, handed_nano_usd BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (day, person, channel, model));
CREATE TABLE tool_usage (day TEXT COLLATE "C" NOT NULL, person TEXT COLLATE "C" NOT NULL, channel TEXT COLLATE "C" NOT NULL, tool TEXT COLLATE "C" NOT NULL, calls BIGINT NOT NULL, failed BIGINT NOT NULL, PRIMARY KEY (day, person, channel, tool));
CREATE TABLE budget_extensions (day TEXT COLLATE "C" NOT NULL, budget TEXT COLLATE "C" NOT NULL, subject TEXT COLLATE "C" NOT NULL, approval TEXT COLLATE "C" NOT NULL, made_by TEXT COLLATE "C" NOT NULL, PRIMARY KEY (day, budget, subject, approval));
CREATE TABLE undoable (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', turn BIGINT NOT NULL, noun TEXT COLLATE "C" NOT NULL, done TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, back TEXT COLLATE "C" NOT NULL, told BIGINT NOT NULL, at TEXT COLLATE "C" NOT NULL, undone_at TEXT COLLATE "C");
CREATE INDEX undoable_of_person ON undoable (person, at);
CREATE INDEX undoable_of_turn ON undoable (turn) WHERE told = 1;
CREATE INDEX undoable_by_time ON undoable (at);
CREATE TABLE tool_requests (person TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL, tool TEXT COLLATE "C" NOT NULL, words TEXT COLLATE "C" NOT NULL, used_at TEXT COLLATE "C" NOT NULL, PRIMARY KEY (person, reach, channel, tool, words));
CREATE TABLE credentials (person TEXT COLLATE "C" NOT NULL, service TEXT COLLATE "C" NOT NULL, sealed TEXT COLLATE "C" NOT NULL, stored_at TEXT COLLATE "C" NOT NULL, lapsed_at TEXT COLLATE "C", PRIMARY KEY (person, service));
CREATE TABLE connection_requests (state TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, service TEXT COLLATE "C" NOT NULL, sealed TEXT COLLATE "C" NOT NULL, expires_at TEXT COLLATE "C" NOT NULL);
CREATE TABLE connection_waits (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, service TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, message TEXT COLLATE "C" NOT NULL, made_at TEXT COLLATE "C" NOT NULL);
CREATE INDEX connection_waits_person ON connection_waits (person, service);
CREATE TABLE virtual_files (owner_kind TEXT COLLATE "C" NOT NULL CHECK (owner_kind IN ('person', 'workspace')), owner TEXT COLLATE "C" NOT NULL, path TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL, version TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, updated_by TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', PRIMARY KEY (owner_kind, owner, path));
CREATE TABLE file_versions (owner_kind TEXT COLLATE "C" NOT NULL CHECK (owner_kind IN ('person', 'workspace')), owner TEXT COLLATE "C" NOT NULL, path TEXT COLLATE "C" NOT NULL, number BIGINT NOT NULL, text TEXT COLLATE "C" NOT NULL, version TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, updated_by TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, kept_at TEXT COLLATE "C" NOT NULL DEFAULT '', PRIMARY KEY (owner_kind, owner, path, number));
CREATE TABLE seen_files (session TEXT COLLATE "C" NOT NULL, path TEXT COLLATE "C" NOT NULL, version TEXT COLLATE "C" NOT NULL, PRIMARY KEY (session, path));
CREATE TABLE file_pieces (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, owner_kind TEXT COLLATE "C" NOT NULL, owner TEXT COLLATE "C" NOT NULL, path TEXT COLLATE "C" NOT NULL, begins BIGINT NOT NULL);
CREATE INDEX file_pieces_by_file ON file_pieces (owner_kind, owner, path);
CREATE TABLE file_words (
    rowid BIGINT PRIMARY KEY, words TEXT COLLATE "C" NOT NULL, tokens TSVECTOR NOT NULL, size BIGINT NOT NULL
);
CREATE INDEX file_words_tokens ON file_words USING gin (tokens);
CREATE TRIGGER file_words_taken BEFORE INSERT ON file_words
FOR EACH ROW EXECUTE FUNCTION words_taken('words', '');
CREATE TRIGGER file_words_counted AFTER INSERT ON file_words
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE TRIGGER file_words_uncounted AFTER DELETE ON file_words
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE FUNCTION file_words(expression TEXT)
RETURNS TABLE (rowid BIGINT, words TEXT, rank DOUBLE PRECISION) LANGUAGE sql STABLE
AS $$
    SELECT w.rowid, w.words, words_rank(
        w.tokens, w.size, (SELECT words_planned('file_words', expression, FALSE)),
        '{1}')
    FROM file_words AS w WHERE w.tokens @@ (SELECT words_query(expression, FALSE))
$$;
CREATE TABLE file_words_unread (owner_kind TEXT COLLATE "C" NOT NULL, owner TEXT COLLATE "C" NOT NULL, path TEXT COLLATE "C" NOT NULL, reached BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (owner_kind, owner, path));
CREATE TABLE known_facts (session_id TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL, fact TEXT COLLATE "C" NOT NULL, history TEXT COLLATE "C" NOT NULL DEFAULT '[]', updated_at TEXT COLLATE "C" NOT NULL, PRIMARY KEY (session_id, key));
CREATE TABLE summaries (id TEXT COLLATE "C" PRIMARY KEY, session_id TEXT COLLATE "C" NOT NULL, epoch BIGINT NOT NULL, person TEXT COLLATE "C" NOT NULL, role TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL, channel TEXT COLLATE "C" NOT NULL, trust TEXT COLLATE "C" NOT NULL, began_at TEXT COLLATE "C" NOT NULL, ended_at TEXT COLLATE "C" NOT NULL, significance BIGINT NOT NULL, fields TEXT COLLATE "C", why_not TEXT COLLATE "C" NOT NULL DEFAULT '', by_model BIGINT NOT NULL, tools TEXT COLLATE "C" NOT NULL DEFAULT '[]', logged BIGINT NOT NULL DEFAULT 0, distilled_at TEXT COLLATE "C", UNIQUE (session_id, epoch));
CREATE INDEX summaries_by_person ON summaries (person, conversation, ended_at);
CREATE INDEX summaries_undistilled ON summaries (person, agent) WHERE distilled_at IS NULL AND fields IS NOT NULL;
CREATE INDEX summaries_unlogged ON summaries (ended_at) WHERE logged = 0 AND fields IS NOT NULL;
CREATE TABLE distillations (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, sources TEXT COLLATE "C" NOT NULL, entries TEXT COLLATE "C" NOT NULL, made_at TEXT COLLATE "C" NOT NULL);
CREATE TABLE memory_passes (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, at TEXT COLLATE "C" NOT NULL, asked BIGINT NOT NULL, people BIGINT NOT NULL, summaries BIGINT NOT NULL, entries BIGINT NOT NULL, merged BIGINT NOT NULL, archived BIGINT NOT NULL, failed TEXT COLLATE "C" NOT NULL DEFAULT '[]');
CREATE TABLE memory_choices (person TEXT COLLATE "C" NOT NULL, channel TEXT COLLATE "C" NOT NULL, learns BIGINT NOT NULL, changed_at TEXT COLLATE "C" NOT NULL, PRIMARY KEY (person, channel));
CREATE TABLE shares (ref TEXT COLLATE "C" PRIMARY KEY, person TEXT COLLATE "C" NOT NULL, workspace TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL);
CREATE TABLE forgotten_words (session_id TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL, words TEXT COLLATE "C" NOT NULL, PRIMARY KEY (session_id, at, words));
CREATE TABLE collections (name TEXT COLLATE "C" PRIMARY KEY, roles TEXT COLLATE "C" NOT NULL, created_at TEXT COLLATE "C" NOT NULL);
CREATE TABLE collected_documents (seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, id TEXT COLLATE "C" NOT NULL UNIQUE, collection TEXT COLLATE "C" NOT NULL REFERENCES collections (name), owner TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, source TEXT COLLATE "C" NOT NULL, digest TEXT COLLATE "C" NOT NULL, parts BIGINT NOT NULL, added_at TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL);
CREATE INDEX collected_documents_by_collection ON collected_documents (collection, source);
CREATE INDEX collected_documents_by_owner ON collected_documents (owner);
CREATE TABLE document_parts (id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, document BIGINT NOT NULL REFERENCES collected_documents (seq), place TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL);
CREATE INDEX document_parts_by_document ON document_parts (document);
CREATE TABLE document_part_words (
    rowid BIGINT PRIMARY KEY, words TEXT COLLATE "C" NOT NULL, around TEXT COLLATE "C" NOT NULL, tokens TSVECTOR NOT NULL, size BIGINT NOT NULL
);
CREATE INDEX document_part_words_tokens ON document_part_words USING gin (tokens);
CREATE TRIGGER document_part_words_taken BEFORE INSERT ON document_part_words
FOR EACH ROW EXECUTE FUNCTION words_taken('words', 'around');
CREATE TRIGGER document_part_words_counted AFTER INSERT ON document_part_words
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE TRIGGER document_part_words_uncounted AFTER DELETE ON document_part_words
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE FUNCTION document_part_words(expression TEXT, ranking TEXT)
RETURNS TABLE (rowid BIGINT, words TEXT, around TEXT, rank DOUBLE PRECISION) LANGUAGE sql STABLE
AS $$
    SELECT w.rowid, w.words, w.around, words_rank(
        w.tokens, w.size, (SELECT words_planned('document_part_words', expression, FALSE)),
        string_to_array(substring(ranking FROM '\((.*)\)'), ',')::double precision[])
    FROM document_part_words AS w WHERE w.tokens @@ (SELECT words_query(expression, FALSE))
$$;
CREATE TABLE document_vectors (part BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, model TEXT COLLATE "C" NOT NULL, dimensions BIGINT NOT NULL, vector BYTEA NOT NULL);
CREATE TABLE automations (ref TEXT COLLATE "C" PRIMARY KEY, owner TEXT COLLATE "C" NOT NULL, slug TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL, event TEXT COLLATE "C" NOT NULL, watches TEXT COLLATE "C" NOT NULL DEFAULT '', workspace TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL UNIQUE, envelope TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL, channel TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, enabled BIGINT NOT NULL DEFAULT 1, paused_why TEXT COLLATE "C" NOT NULL DEFAULT '', failures BIGINT NOT NULL DEFAULT 0, shown_at TEXT COLLATE "C", created_at TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL);
CREATE INDEX automations_by_owner ON automations (owner, slug);
CREATE INDEX automations_by_event ON automations (event, watches) WHERE enabled = 1;
CREATE TABLE automation_events (seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, automation TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL, at TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, turn BIGINT, UNIQUE (automation, key));
CREATE INDEX automation_events_waiting ON automation_events (automation, seq) WHERE turn IS NULL;
CREATE INDEX automation_events_by_age ON automation_events (at) WHERE turn IS NOT NULL;
CREATE TABLE automation_channels (channel TEXT COLLATE "C" PRIMARY KEY, allowed_by TEXT COLLATE "C" NOT NULL, allowed_at TEXT COLLATE "C" NOT NULL);
CREATE TABLE account_cursors (person TEXT COLLATE "C" NOT NULL, account TEXT COLLATE "C" NOT NULL, kind TEXT COLLATE "C" NOT NULL, cursor TEXT COLLATE "C" NOT NULL, PRIMARY KEY (person, account, kind));
CREATE TABLE todos (id TEXT COLLATE "C" PRIMARY KEY, owner TEXT COLLATE "C" NOT NULL, title TEXT COLLATE "C" NOT NULL, description TEXT COLLATE "C" NOT NULL DEFAULT '', status TEXT COLLATE "C" NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'waiting', 'done', 'dismissed')), priority TEXT COLLATE "C" NOT NULL DEFAULT 'medium' CHECK (priority IN ('low', 'medium', 'high')), due_date TEXT COLLATE "C", waiting_for TEXT COLLATE "C" NOT NULL DEFAULT '', wake_at TEXT COLLATE "C", created_at TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, completed_at TEXT COLLATE "C", agent TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', repeats TEXT COLLATE "C", zone TEXT COLLATE "C" NOT NULL DEFAULT 'UTC', assigned BIGINT NOT NULL DEFAULT 0, slug TEXT COLLATE "C" NOT NULL DEFAULT '', notes TEXT COLLATE "C" NOT NULL DEFAULT '', revision BIGINT NOT NULL DEFAULT 1);
CREATE INDEX todos_by_owner ON todos (owner, status);
CREATE INDEX todos_by_wake ON todos (wake_at) WHERE wake_at IS NOT NULL;
CREATE UNIQUE INDEX todos_by_slug ON todos (owner, slug) WHERE slug <> '';
CREATE TABLE notes (id TEXT COLLATE "C" PRIMARY KEY, board TEXT COLLATE "C" NOT NULL CHECK (board IN ('user', 'agent')), owner TEXT COLLATE "C" NOT NULL, title TEXT COLLATE "C" NOT NULL, body TEXT COLLATE "C" NOT NULL DEFAULT '', due TEXT COLLATE "C", created_at TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '');
CREATE INDEX notes_by_owner ON notes (owner, board);
CREATE INDEX notes_by_agent ON notes (agent, board);
CREATE TABLE knowledge_entries (seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, id TEXT COLLATE "C" NOT NULL UNIQUE, owner TEXT COLLATE "C" NOT NULL, title TEXT COLLATE "C" NOT NULL, content TEXT COLLATE "C" NOT NULL, content_key TEXT COLLATE "C" NOT NULL, type TEXT COLLATE "C" NOT NULL CHECK (type IN ('fact', 'preference', 'knowledge', 'note')), importance DOUBLE PRECISION NOT NULL CHECK (importance BETWEEN 0 AND 1), created_at TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', UNIQUE (owner, content_key));
CREATE TABLE knowledge_entries_text (
    rowid BIGINT PRIMARY KEY, body TEXT COLLATE "C" NOT NULL, tokens TSVECTOR NOT NULL, size BIGINT NOT NULL
);
CREATE INDEX knowledge_entries_text_tokens ON knowledge_entries_text USING gin (tokens);
CREATE TRIGGER knowledge_entries_text_taken BEFORE INSERT ON knowledge_entries_text
FOR EACH ROW EXECUTE FUNCTION words_taken('body', '');
CREATE TRIGGER knowledge_entries_text_counted AFTER INSERT ON knowledge_entries_text
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE TRIGGER knowledge_entries_text_uncounted AFTER DELETE ON knowledge_entries_text
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE FUNCTION knowledge_entries_text(expression TEXT)
RETURNS TABLE (rowid BIGINT, body TEXT, rank DOUBLE PRECISION) LANGUAGE sql STABLE
AS $$
    SELECT w.rowid, w.body, words_rank(
        w.tokens, w.size, (SELECT words_planned('knowledge_entries_text', expression, TRUE)),
        '{1}')
    FROM knowledge_entries_text AS w WHERE w.tokens @@ (SELECT words_query(expression, TRUE))
$$;
CREATE TABLE meetings (seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, id TEXT COLLATE "C" NOT NULL UNIQUE, owner TEXT COLLATE "C" NOT NULL, day TEXT COLLATE "C" NOT NULL, slug TEXT COLLATE "C" NOT NULL, title TEXT COLLATE "C" NOT NULL, starts_at TEXT COLLATE "C", people TEXT COLLATE "C" NOT NULL DEFAULT '[]', created_at TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', origin TEXT COLLATE "C" NOT NULL, UNIQUE (day, slug));
CREATE INDEX meetings_by_start ON meetings (starts_at) WHERE starts_at IS NOT NULL;
CREATE INDEX meetings_by_owner ON meetings (owner);
CREATE TABLE meeting_texts (seq BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, meeting TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL CHECK (name IN ('transcript', 'summary', 'notes')), text TEXT COLLATE "C" NOT NULL, version TEXT COLLATE "C" NOT NULL, origin TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, updated_by TEXT COLLATE "C" NOT NULL, UNIQUE (meeting, name));
CREATE TABLE meeting_texts_text (
    rowid BIGINT PRIMARY KEY, body TEXT COLLATE "C" NOT NULL, tokens TSVECTOR NOT NULL, size BIGINT NOT NULL
);
CREATE INDEX meeting_texts_text_tokens ON meeting_texts_text USING gin (tokens);
CREATE TRIGGER meeting_texts_text_taken BEFORE INSERT ON meeting_texts_text
FOR EACH ROW EXECUTE FUNCTION words_taken('body', '');
CREATE TRIGGER meeting_texts_text_counted AFTER INSERT ON meeting_texts_text
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE TRIGGER meeting_texts_text_uncounted AFTER DELETE ON meeting_texts_text
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION words_counted();
CREATE FUNCTION meeting_texts_text(expression TEXT)
RETURNS TABLE (rowid BIGINT, body TEXT, rank DOUBLE PRECISION) LANGUAGE sql STABLE
AS $$
    SELECT w.rowid, w.body, words_rank(
        w.tokens, w.size, (SELECT words_planned('meeting_texts_text', expression, TRUE)),
        '{1}')
    FROM meeting_texts_text AS w WHERE w.tokens @@ (SELECT words_query(expression, TRUE))
$$;
CREATE TABLE people (id TEXT COLLATE "C" PRIMARY KEY, slug TEXT COLLATE "C" NOT NULL UNIQUE, owner TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, other_names TEXT COLLATE "C" NOT NULL DEFAULT '[]', title TEXT COLLATE "C" NOT NULL DEFAULT '', timezone TEXT COLLATE "C" NOT NULL DEFAULT '', by_hand TEXT COLLATE "C" NOT NULL DEFAULT '[]', asked_at TEXT COLLATE "C", forgotten_at TEXT COLLATE "C", created_at TEXT COLLATE "C" NOT NULL, updated_at TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', origin TEXT COLLATE "C" NOT NULL);
CREATE TABLE people_notes (id TEXT COLLATE "C" PRIMARY KEY, about TEXT COLLATE "C" NOT NULL, owner TEXT COLLATE "C" NOT NULL, text TEXT COLLATE "C" NOT NULL, created_at TEXT COLLATE "C" NOT NULL, agent TEXT COLLATE "C" NOT NULL, session TEXT COLLATE "C" NOT NULL, conversation TEXT COLLATE "C" NOT NULL, reach TEXT COLLATE "C" NOT NULL CHECK (reach IN ('dm', 'private', 'public')), channel TEXT COLLATE "C" NOT NULL DEFAULT '', origin TEXT COLLATE "C" NOT NULL);
CREATE INDEX people_notes_by_file ON people_notes (about, created_at);
CREATE INDEX people_notes_by_owner ON people_notes (owner);
CREATE TABLE people_accounts (person TEXT COLLATE "C" PRIMARY KEY, about TEXT COLLATE "C" NOT NULL);
CREATE INDEX people_accounts_by_file ON people_accounts (about);
CREATE TABLE people_slugs (slug TEXT COLLATE "C" PRIMARY KEY, about TEXT COLLATE "C" NOT NULL);
CREATE TABLE people_apart (one TEXT COLLATE "C" NOT NULL, other TEXT COLLATE "C" NOT NULL, PRIMARY KEY (one, other));

-- What only a server does with the tables that are made of schema.sql: triggers, which are written
-- for each database, and the few columns that differ.

-- --- storage -------------------------------------------------------------------------------------

-- SQLite numbers the rows of these tables, too, but each row has its number from elsewhere.
ALTER TABLE migrations ALTER COLUMN number DROP IDENTITY;
ALTER TABLE lives ALTER COLUMN after_turn DROP IDENTITY;
ALTER TABLE message_words_changed ALTER COLUMN message DROP IDENTITY;
ALTER TABLE document_vectors ALTER COLUMN part DROP IDENTITY;

-- Statements ask for `rowid` of these tables, which SQLite has without a word.
ALTER TABLE outbox ADD COLUMN rowid BIGINT GENERATED BY DEFAULT AS IDENTITY;
ALTER TABLE tool_requests ADD COLUMN rowid BIGINT GENERATED BY DEFAULT AS IDENTITY;
ALTER TABLE file_versions ADD COLUMN rowid BIGINT GENERATED BY DEFAULT AS IDENTITY;
ALTER TABLE people_notes ADD COLUMN rowid BIGINT GENERATED BY DEFAULT AS IDENTITY;

CREATE TRIGGER refused_tokens_changed AFTER INSERT OR UPDATE ON home_values
    FOR EACH ROW WHEN (NEW.name = 'refused token') EXECUTE FUNCTION note_change('accounts');

-- --- turns ---------------------------------------------------------------------------------------

CREATE VIEW sqlite_sequence AS
SELECT 'inbox' AS name, last_value AS seq FROM inbox_id_seq WHERE is_called;

-- Work in the inbox wakes its session: a job tells any one process to work on it. The jobs are
-- procrastinate's, see bot/plugins/postgresql/jobs_schema.py.

-- At most one job of a session waits. A job that waits is locked until this transaction is stored,
-- so whoever fetches it reads the rows that it was made for.
CREATE FUNCTION wake_session(woken TEXT) RETURNS VOID
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('bellhop_session', woken);
    LOOP
        PERFORM 1 FROM procrastinate_jobs
            WHERE queueing_lock = woken AND status = 'todo' FOR UPDATE;
        IF FOUND THEN
            -- Workers skip a locked job, and are told to look again when it is free.
            PERFORM pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}');
            RETURN;
        END IF;
        BEGIN
            PERFORM procrastinate_defer_jobs_v1(ARRAY[ROW(
                'sessions', 'work_session', 0, woken, woken,
                jsonb_build_object('session', woken), NULL
            )]::procrastinate_job_to_defer_v1[]);
            RETURN;
        EXCEPTION WHEN unique_violation THEN
            NULL;
        END;
    END LOOP;
END
$$;

-- Work for later is told apart: each process that runs turns wakes its session when it is due.
CREATE FUNCTION wake_session_of_row() RETURNS TRIGGER
LANGUAGE plpgsql
AS $$
BEGIN
    IF NEW.due IS NULL THEN
        PERFORM wake_session(NEW.session);
    ELSE
        PERFORM pg_notify('bellhop_due', NEW.due);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER inbox_new_work AFTER INSERT ON inbox
FOR EACH ROW WHEN (NEW.settled_at IS NULL AND NEW.state IN ('new', 'ready'))
EXECUTE FUNCTION wake_session_of_row();

CREATE TRIGGER inbox_work_again AFTER UPDATE OF state, due, stop ON inbox
FOR EACH ROW WHEN (
    NEW.settled_at IS NULL AND (NEW.state IN ('new', 'ready') OR (NEW.stop = 1 AND OLD.stop = 0))
)
EXECUTE FUNCTION wake_session_of_row();

CREATE FUNCTION tell_of_schedules() RETURNS TRIGGER
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('bellhop_schedules', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER schedules_changed AFTER INSERT OR UPDATE OR DELETE ON schedules
FOR EACH STATEMENT EXECUTE FUNCTION tell_of_schedules();

-- --- sessions ------------------------------------------------------------------------------------

CREATE FUNCTION message_words_edited() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM message_words WHERE rowid = OLD.id;
    INSERT INTO message_words_changed VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER message_words_edited AFTER UPDATE OF text ON messages
FOR EACH ROW WHEN (OLD.text IS DISTINCT FROM NEW.text) EXECUTE FUNCTION message_words_edited();

CREATE FUNCTION message_words_deleted() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM message_words WHERE rowid = OLD.id;
    DELETE FROM message_words_changed WHERE message = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER message_words_deleted AFTER DELETE ON messages
FOR EACH ROW EXECUTE FUNCTION message_words_deleted();

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

CREATE TRIGGER outbox_changed AFTER INSERT OR UPDATE OR DELETE ON outbox
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('outbox');

CREATE TRIGGER lives_changed AFTER INSERT OR UPDATE OR DELETE ON lives
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('lives');

-- --- agents --------------------------------------------------------------------------------------

CREATE FUNCTION plan_orders_purged() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM plan_orders WHERE turn = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER plan_orders_purged AFTER DELETE ON inbox
FOR EACH ROW EXECUTE FUNCTION plan_orders_purged();

-- --- connections ---------------------------------------------------------------------------------

CREATE TRIGGER credentials_changed AFTER INSERT OR UPDATE OR DELETE ON credentials
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('accounts');

-- --- files ---------------------------------------------------------------------------------------

CREATE TRIGGER custom_skills_written AFTER INSERT OR UPDATE ON virtual_files
    FOR EACH ROW WHEN (NEW.path LIKE '/custom-skills/%')
    EXECUTE FUNCTION note_change('custom_skills');
CREATE TRIGGER custom_skills_removed AFTER DELETE ON virtual_files
    FOR EACH ROW WHEN (OLD.path LIKE '/custom-skills/%')
    EXECUTE FUNCTION note_change('custom_skills');

-- Those of one event fire in the order of their names.
CREATE FUNCTION file_words_forgotten() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM file_words WHERE rowid IN (
        SELECT id FROM file_pieces
        WHERE owner_kind = OLD.owner_kind AND owner = OLD.owner AND path = OLD.path
    );
    DELETE FROM file_pieces
        WHERE owner_kind = OLD.owner_kind AND owner = OLD.owner AND path = OLD.path;
    DELETE FROM file_words_unread
        WHERE owner_kind = OLD.owner_kind AND owner = OLD.owner AND path = OLD.path;
    RETURN NULL;
END
$$;
CREATE TRIGGER file_words_changed AFTER DELETE OR UPDATE OF owner_kind, owner, path, text
ON virtual_files FOR EACH ROW EXECUTE FUNCTION file_words_forgotten();

CREATE FUNCTION file_words_written() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO file_words_unread (owner_kind, owner, path)
        VALUES (NEW.owner_kind, NEW.owner, NEW.path) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER file_words_written AFTER INSERT OR UPDATE OF owner_kind, owner, path, text
ON virtual_files FOR EACH ROW WHEN (NEW.path >= '/documents/' AND NEW.path < '/documents0')
EXECUTE FUNCTION file_words_written();

-- --- knowledge -----------------------------------------------------------------------------------

CREATE TRIGGER collections_changed AFTER INSERT OR UPDATE OR DELETE ON collections
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('collections');

CREATE TRIGGER collected_documents_changed AFTER INSERT OR UPDATE OR DELETE ON collected_documents
    FOR EACH STATEMENT EXECUTE FUNCTION note_change('collections');

-- The parts of a document go with it by their key, and not by a trigger.
ALTER TABLE document_parts
    DROP CONSTRAINT document_parts_document_fkey,
    ADD CONSTRAINT document_parts_document_fkey
    FOREIGN KEY (document) REFERENCES collected_documents (seq) ON DELETE CASCADE;

CREATE FUNCTION document_parts_deleted() RETURNS TRIGGER LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM document_part_words WHERE rowid = OLD.id;
    DELETE FROM document_vectors WHERE part = OLD.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER document_parts_deleted AFTER DELETE ON document_parts
FOR EACH ROW EXECUTE FUNCTION document_parts_deleted();

-- Mail that agents got.
CREATE TABLE mail_received (
    id TEXT NOT NULL PRIMARY KEY,
    mailbox TEXT NOT NULL,
    owner TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    received_at TEXT NOT NULL,
    read_at TEXT
);
CREATE INDEX mail_received_by_mailbox ON mail_received (mailbox, received_at, id);
CREATE INDEX mail_received_by_owner ON mail_received (owner);
-- What agents sent by mail: an answer belongs to who had it sent, and is as private.
CREATE TABLE mail_sent (
    token TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    sent_to TEXT NOT NULL,
    subject TEXT NOT NULL,
    reach TEXT NOT NULL CHECK (reach IN ('dm', 'private', 'public')),
    channel TEXT NOT NULL,
    sent_at TEXT NOT NULL
);
CREATE INDEX mail_sent_by_owner ON mail_sent (owner);
-- Links that /console sent, until they are used or over. The hash is all that is kept of a link.
CREATE TABLE console_links (
    hash TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    found_by TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
-- Browsers that are signed in, by the hash of their cookie.
CREATE TABLE console_sessions (
    hash TEXT NOT NULL PRIMARY KEY,
    person TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    found_by TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
CREATE INDEX console_sessions_of_person ON console_sessions (person);

INSERT INTO migrations VALUES (86, '0086_storage_one_schema.postgresql.sql',
    '4c019b992f8007690e692ea56c6260a206836e195d5bfbf6476485ea057f28c5', '2026-11-29T00:00:00Z');
INSERT INTO migrations VALUES (87, '0087_sessions_polls.postgresql.sql',
    '80741d79b23978d46e4a8a5245c12339499964d883337e4809faff45e5c164a2', '2026-11-29T00:00:00Z');
INSERT INTO migrations VALUES (88, '0088_sessions_reply_modes.postgresql.sql',
    'bedee394bac673475d08a35743bd6eed5f0c97c6130a3c1c721fab634e7a55c9', '2026-11-29T00:00:00Z');
INSERT INTO migrations VALUES (89, '0089_storage_mail_of_plugin.postgresql.sql',
    'd911dc12e91919e7f79a6f628afa5c527c6902fc041454927c6d38150c081a0b', '2026-11-29T00:00:00Z');
INSERT INTO plugin_migrations VALUES ('mail', 1, '0001_mail.sql',
    '7bb6e98763a3ecfafe22782b96e4aac27a7a41b405aed82ab06ccd20f36d7cb7',
    '["-- Mail that agents got.\nCREATE TABLE mail_received (\n    id TEXT NOT NULL PRIMARY KEY,\n    mailbox TEXT NOT NULL,\n    owner TEXT NOT NULL,\n    reach TEXT NOT NULL CHECK (reach IN (''dm'', ''private'', ''public'')),\n    channel TEXT NOT NULL,\n    sender TEXT NOT NULL,\n    subject TEXT NOT NULL,\n    text TEXT NOT NULL,\n    received_at TEXT NOT NULL,\n    read_at TEXT\n);", "CREATE INDEX mail_received_by_mailbox ON mail_received (mailbox, received_at, id);", "CREATE INDEX mail_received_by_owner ON mail_received (owner);", "-- What agents sent by mail: an answer belongs to who had it sent, and is as private.\nCREATE TABLE mail_sent (\n    token TEXT NOT NULL PRIMARY KEY,\n    owner TEXT NOT NULL,\n    mailbox TEXT NOT NULL,\n    sent_to TEXT NOT NULL,\n    subject TEXT NOT NULL,\n    reach TEXT NOT NULL CHECK (reach IN (''dm'', ''private'', ''public'')),\n    channel TEXT NOT NULL,\n    sent_at TEXT NOT NULL\n);", "CREATE INDEX mail_sent_by_owner ON mail_sent (owner);"]', '2026-11-29T00:00:00Z');
INSERT INTO plugin_migrations VALUES ('console', 1, '0001_sessions.sql',
    '695b598f85f37413f14978138bf57e980be0f8fd24fce0304d0f05902559bf3c',
    '["-- Links that /console sent, until they are used or over. The hash is all that is kept of a link.\nCREATE TABLE console_links (\n    hash TEXT NOT NULL PRIMARY KEY,\n    person TEXT NOT NULL,\n    name TEXT NOT NULL,\n    role TEXT NOT NULL,\n    found_by TEXT NOT NULL,\n    expires_at TEXT NOT NULL\n);", "-- Browsers that are signed in, by the hash of their cookie.\nCREATE TABLE console_sessions (\n    hash TEXT NOT NULL PRIMARY KEY,\n    person TEXT NOT NULL,\n    name TEXT NOT NULL,\n    role TEXT NOT NULL,\n    found_by TEXT NOT NULL,\n    expires_at TEXT NOT NULL\n);", "CREATE INDEX console_sessions_of_person ON console_sessions (person);"]', '2026-11-29T00:00:00Z');

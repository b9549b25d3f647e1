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

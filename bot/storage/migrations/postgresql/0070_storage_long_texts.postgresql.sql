-- A tsvector holds at most 1 MB. Of a longer text the words at its beginning are found, as many as
-- fit; before, it could not be stored.
CREATE OR REPLACE FUNCTION words_vector(words TEXT[], mark TEXT) RETURNS TSVECTOR
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

-- The index of messages now holds days: when each was said, and which days it names. So all are read again, in the
-- background; until then each is found by its words as before.
UPDATE message_words_reached SET message = 0;

-- Sentences that a pattern took for things to tell everybody, word for word, also from direct
-- messages. Nothing is shared by a pattern any more, so they are of no use.
ALTER TABLE summaries DROP COLUMN to_share;

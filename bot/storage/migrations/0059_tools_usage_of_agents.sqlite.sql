-- What agents used that were called by another one: handing work out costs extra, and /usage says how much.
ALTER TABLE usage ADD COLUMN handed_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN handed_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN handed_nano_usd INTEGER NOT NULL DEFAULT 0;

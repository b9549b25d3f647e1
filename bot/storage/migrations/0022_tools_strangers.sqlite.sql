-- What of a row's model calls was made as a guest who stood in no contacts file: such people share one budget.
ALTER TABLE usage ADD COLUMN stranger_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage ADD COLUMN stranger_nano_usd INTEGER NOT NULL DEFAULT 0;

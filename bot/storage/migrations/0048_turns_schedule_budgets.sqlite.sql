-- What a scheduled task may use in a month, and what it has used in the newest month in which it ran.
ALTER TABLE scheduled_tasks ADD COLUMN budget_calls INTEGER;      -- of its owner's own wish; NULL: as the settings say
ALTER TABLE scheduled_tasks ADD COLUMN spent_month TEXT NOT NULL DEFAULT '';
ALTER TABLE scheduled_tasks ADD COLUMN spent_nano_usd INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduled_tasks ADD COLUMN spent_calls INTEGER NOT NULL DEFAULT 0;

-- Carries over a home of 29 November 2026, whose last migration is 0089.
DELETE FROM migrations WHERE number <= 89;

-- Whether a yes may cover further calls was known by the names of tools. What is still open is asked
-- about alone.
ALTER TABLE approvals ADD COLUMN each_time INTEGER NOT NULL DEFAULT 0;
UPDATE approvals SET each_time = 1 WHERE state = 'open';

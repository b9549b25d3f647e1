-- Carries over a home of 29 November 2026, whose last migration is 0089.
DELETE FROM migrations WHERE number <= 89;

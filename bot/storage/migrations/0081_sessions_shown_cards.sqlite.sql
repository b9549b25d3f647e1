-- What a card showed of its call, and to whom alone: a yes is compared with it.
ALTER TABLE cards ADD COLUMN shown TEXT NOT NULL DEFAULT '';
ALTER TABLE cards ADD COLUMN reader TEXT NOT NULL DEFAULT '';
-- What the person who said yes had seen: compared again when the call runs.
ALTER TABLE approvals ADD COLUMN shown TEXT NOT NULL DEFAULT '';
-- The approval whose one card asks about this call and others of its turn.
ALTER TABLE approvals ADD COLUMN bundle TEXT NOT NULL DEFAULT '';
-- The rank of the person who approved the plan: it answers no question that needs a higher one.
ALTER TABLE plan_lines ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;

-- Whom to answer in a channel, as its people chose with /mode.
ALTER TABLE channels ADD COLUMN reply TEXT COLLATE "C" NOT NULL DEFAULT '';

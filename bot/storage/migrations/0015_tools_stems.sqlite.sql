-- Which text the targets of a waiting call stem from, for whoever decides (ruling 9, owner: tools).
ALTER TABLE approvals ADD COLUMN stems TEXT NOT NULL DEFAULT '[]';      -- JSON: target, source, excerpt of each

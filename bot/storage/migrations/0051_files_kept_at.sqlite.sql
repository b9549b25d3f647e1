-- When an earlier text was put away: those of a deleted file go some time after that.
ALTER TABLE file_versions ADD COLUMN kept_at TEXT NOT NULL DEFAULT '';
UPDATE file_versions SET kept_at = updated_at;

-- Where a row was learned, instead of only whether that was a direct message: reach is dm, private or public, and
-- channel the key of its channel (platform:workspace:channel). A channel that nobody said to be public counts as private.

ALTER TABLE todos ADD COLUMN reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public'));
ALTER TABLE todos ADD COLUMN channel TEXT NOT NULL DEFAULT '';
UPDATE todos SET reach = 'private', channel = coalesce(
    (SELECT platform || ':' || workspace || ':' || CASE conversations.channel WHEN '' THEN id ELSE conversations.channel END
     FROM conversations WHERE key = todos.conversation), conversation) WHERE private = 0;
UPDATE todos SET reach = 'public' WHERE reach = 'private'
    AND EXISTS (SELECT 1 FROM channels WHERE key = todos.channel AND visibility = 'public' AND was_private = 0);
ALTER TABLE todos DROP COLUMN private;

ALTER TABLE notes ADD COLUMN reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public'));
ALTER TABLE notes ADD COLUMN channel TEXT NOT NULL DEFAULT '';
UPDATE notes SET reach = 'private', channel = coalesce(
    (SELECT platform || ':' || workspace || ':' || CASE conversations.channel WHEN '' THEN id ELSE conversations.channel END
     FROM conversations WHERE key = notes.conversation), conversation) WHERE private = 0;
UPDATE notes SET reach = 'public' WHERE reach = 'private'
    AND EXISTS (SELECT 1 FROM channels WHERE key = notes.channel AND visibility = 'public' AND was_private = 0);
ALTER TABLE notes DROP COLUMN private;

ALTER TABLE knowledge_entries ADD COLUMN reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public'));
ALTER TABLE knowledge_entries ADD COLUMN channel TEXT NOT NULL DEFAULT '';
UPDATE knowledge_entries SET reach = 'private', channel = coalesce(
    (SELECT platform || ':' || workspace || ':' || CASE conversations.channel WHEN '' THEN id ELSE conversations.channel END
     FROM conversations WHERE key = knowledge_entries.conversation), conversation) WHERE private = 0;
UPDATE knowledge_entries SET reach = 'public' WHERE reach = 'private'
    AND EXISTS (SELECT 1 FROM channels WHERE key = knowledge_entries.channel AND visibility = 'public' AND was_private = 0);
ALTER TABLE knowledge_entries DROP COLUMN private;

-- Of files no channel was recorded: what was not written in a direct message stays as open as it was.
ALTER TABLE virtual_files ADD COLUMN reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public'));
ALTER TABLE virtual_files ADD COLUMN channel TEXT NOT NULL DEFAULT '';
UPDATE virtual_files SET reach = 'public' WHERE private = 0;

-- Preferences that were last written in a direct message held only there. /preferences/global.md holds everywhere from
-- now on, so their text moves to /preferences/private.md, and its person is told once.
CREATE TABLE moved_preferences (person TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO moved_preferences SELECT owner FROM virtual_files
    WHERE owner_kind = 'person' AND path = '/preferences/global.md' AND private = 1;
UPDATE virtual_files AS kept SET
    text = kept.text || char(10) || moved.text,
    version = lower(hex(randomblob(16))),
    origin = CASE WHEN instr('operator person member outsider external', json_extract(moved.origin, '$.trust'))
        > instr('operator person member outsider external', json_extract(kept.origin, '$.trust'))
        THEN moved.origin ELSE kept.origin END
    FROM virtual_files AS moved
    WHERE kept.owner_kind = 'person' AND kept.path = '/preferences/private.md' AND moved.owner_kind = 'person'
    AND moved.owner = kept.owner AND moved.path = '/preferences/global.md' AND moved.private = 1;
DELETE FROM virtual_files WHERE owner_kind = 'person' AND path = '/preferences/global.md' AND private = 1 AND EXISTS
    (SELECT 1 FROM virtual_files AS kept WHERE kept.owner_kind = 'person' AND kept.owner = virtual_files.owner
     AND kept.path = '/preferences/private.md');
UPDATE virtual_files SET path = '/preferences/private.md'
    WHERE owner_kind = 'person' AND path = '/preferences/global.md' AND private = 1;
UPDATE virtual_files SET reach = 'dm' WHERE owner_kind = 'person' AND path = '/preferences/private.md';
ALTER TABLE virtual_files DROP COLUMN private;

-- Where a cycle took place and where a scheduled task was made, instead of only whether that was a direct message: reach
-- is dm, private or public, and channel the key of its channel. A channel that nobody said to be public counts as private.

-- The log is the largest table and its pages may be damaged, so none of its rows is rewritten. Of rows from before, reach is
-- NULL: then private says whether it was a direct message, and else it is known to be shown to its person alone.
ALTER TABLE cycle_events ADD COLUMN reach TEXT CHECK (reach IN ('dm', 'private', 'public'));
ALTER TABLE cycle_events ADD COLUMN channel TEXT NOT NULL DEFAULT '';

ALTER TABLE scheduled_tasks ADD COLUMN reach TEXT NOT NULL DEFAULT 'dm' CHECK (reach IN ('dm', 'private', 'public'));
ALTER TABLE scheduled_tasks ADD COLUMN channel TEXT NOT NULL DEFAULT '';
UPDATE scheduled_tasks SET reach = 'private', channel = coalesce(
    (SELECT platform || ':' || workspace || ':' || CASE conversations.channel WHEN '' THEN id ELSE conversations.channel END
     FROM conversations WHERE key = scheduled_tasks.conversation), conversation) WHERE private = 0;
UPDATE scheduled_tasks SET reach = 'public' WHERE reach = 'private'
    AND EXISTS (SELECT 1 FROM channels WHERE key = scheduled_tasks.channel AND visibility = 'public' AND was_private = 0);
ALTER TABLE scheduled_tasks DROP COLUMN private;

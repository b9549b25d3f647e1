-- Todos as files /todos/{slug}.md: the name of the file, and the notes below the summary.
ALTER TABLE todos ADD COLUMN slug TEXT NOT NULL DEFAULT '';
ALTER TABLE todos ADD COLUMN notes TEXT NOT NULL DEFAULT '';
-- Counts the changes, so that a file that was read before one of them does not undo it.
ALTER TABLE todos ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
UPDATE todos SET slug = 'todo-' || id;
CREATE UNIQUE INDEX todos_by_slug ON todos (owner, slug) WHERE slug <> '';

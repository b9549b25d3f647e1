-- Of a thread: the channel that it hangs in. Empty: not a thread, or not known.
ALTER TABLE conversations ADD COLUMN channel TEXT NOT NULL DEFAULT '';

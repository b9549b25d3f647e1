-- What an answer carries, so that it stands in the thread of the mail.
ALTER TABLE mail_received ADD COLUMN thread TEXT NOT NULL DEFAULT '';

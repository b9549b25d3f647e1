CREATE INDEX approvals_by_person ON approvals (person, tool, asked_at);

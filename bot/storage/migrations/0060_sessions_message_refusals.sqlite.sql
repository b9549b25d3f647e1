-- Who wants no message that another member has Bellhop send.
CREATE TABLE message_refusals (person TEXT PRIMARY KEY);

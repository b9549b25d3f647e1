-- What a model refused to read, so that it is not sent again.
CREATE TABLE refused_content (
    model TEXT COLLATE "C" NOT NULL,
    what TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (model, what)
);

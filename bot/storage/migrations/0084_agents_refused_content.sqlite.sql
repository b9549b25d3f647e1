-- What a model refused to read, so that it is not sent again: `pictures`, or the hash of one picture.
CREATE TABLE refused_content (
    model TEXT NOT NULL,
    what TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (model, what)
);

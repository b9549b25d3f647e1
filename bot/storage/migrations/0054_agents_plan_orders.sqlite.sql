-- What a person struck from a plan or added to it while it ran. It goes with the turn that ran the plan.
CREATE TABLE plan_orders (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    turn INTEGER NOT NULL,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    taken INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX plan_orders_turn ON plan_orders (turn);

CREATE TRIGGER plan_orders_purged AFTER DELETE ON inbox
BEGIN
    DELETE FROM plan_orders WHERE turn = old.id;
END;

-- A process that ends takes every turn that runs with it. These tell the turn that ends processes from the others.
ALTER TABLE inbox ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;  -- processes that ended while it ran, since it last got further
ALTER TABLE inbox ADD COLUMN trial INTEGER NOT NULL DEFAULT 0;   -- 1: it runs alone; 2: a process ended then; more: tries to give it up

-- Work in the inbox wakes its session: a job tells any one process to work on it. The jobs are
-- procrastinate's, see bot/storage/postgresql/jobs_schema.py.

-- At most one job of a session waits. A job that waits is locked until this transaction is stored,
-- so whoever fetches it reads the rows that it was made for.
CREATE FUNCTION wake_session(woken TEXT) RETURNS VOID
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('bellhop_session', woken);
    LOOP
        PERFORM 1 FROM procrastinate_jobs
            WHERE queueing_lock = woken AND status = 'todo' FOR UPDATE;
        IF FOUND THEN
            -- Workers skip a locked job, and are told to look again when it is free.
            PERFORM pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}');
            RETURN;
        END IF;
        BEGIN
            PERFORM procrastinate_defer_jobs_v1(ARRAY[ROW(
                'sessions', 'work_session', 0, woken, woken,
                jsonb_build_object('session', woken), NULL
            )]::procrastinate_job_to_defer_v1[]);
            RETURN;
        EXCEPTION WHEN unique_violation THEN
            NULL;
        END;
    END LOOP;
END
$$;

-- Work for later is told apart: each process that runs turns wakes its session when it is due.
CREATE FUNCTION wake_session_of_row() RETURNS TRIGGER
LANGUAGE plpgsql
AS $$
BEGIN
    IF NEW.due IS NULL THEN
        PERFORM wake_session(NEW.session);
    ELSE
        PERFORM pg_notify('bellhop_due', NEW.due);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER inbox_new_work AFTER INSERT ON inbox
FOR EACH ROW WHEN (NEW.settled_at IS NULL AND NEW.state IN ('new', 'ready'))
EXECUTE FUNCTION wake_session_of_row();

CREATE TRIGGER inbox_work_again AFTER UPDATE OF state, due, stop ON inbox
FOR EACH ROW WHEN (
    NEW.settled_at IS NULL AND (NEW.state IN ('new', 'ready') OR (NEW.stop = 1 AND OLD.stop = 0))
)
EXECUTE FUNCTION wake_session_of_row();

CREATE FUNCTION tell_of_schedules() RETURNS TRIGGER
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM pg_notify('bellhop_schedules', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER schedules_changed AFTER INSERT OR UPDATE OR DELETE ON schedules
FOR EACH STATEMENT EXECUTE FUNCTION tell_of_schedules();

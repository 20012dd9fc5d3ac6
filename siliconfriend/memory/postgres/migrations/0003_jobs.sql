-- What nights share, and the queue of their jobs.
-- A scope is known here by the SHA-256 of its names, so that these rows name nobody; only the plan,
-- from which jobs are made, and the jobs that wait hold names, and both go with the person.

-- A night: what is the same for everyone in it, and its calls of a model.
CREATE TABLE siliconfriend.night (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text UNIQUE,                    -- of one that began by itself: the day
    began timestamptz NOT NULL DEFAULT clock_timestamp(),
    form jsonb,                          -- what its report says of all; null until that is known
    options jsonb NOT NULL DEFAULT '{}', -- how its jobs are to go
    max_calls integer,
    calls integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0, -- of calls, in a row
    given_up jsonb,                      -- the failure after which nobody asks
    given_up_until timestamptz
);

CREATE TABLE siliconfriend.night_report (
    night bigint NOT NULL REFERENCES siliconfriend.night ON DELETE CASCADE,
    scope text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    form jsonb NOT NULL,
    PRIMARY KEY (night, scope)
);
CREATE INDEX night_report_scope ON siliconfriend.night_report (scope, night);

CREATE TABLE siliconfriend.forgetting_pass (
    scope text COLLATE "C" PRIMARY KEY,
    at timestamptz NOT NULL
);

-- Who is at work on whom. A machine that is cut off cannot give back what it holds, so it ends by
-- itself unless it is said again.
CREATE TABLE siliconfriend.night_hold (
    scope text COLLATE "C" PRIMARY KEY,
    holder uuid NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL
);

CREATE TABLE siliconfriend.quiet_note (
    scope text COLLATE "C" PRIMARY KEY,
    conditions text NOT NULL,
    note jsonb NOT NULL
);

-- Until when a model that said so is asked by nobody.
CREATE TABLE siliconfriend.model_pause (
    model text PRIMARY KEY,
    until timestamptz NOT NULL
);

-- When each person's next night is to begin.
CREATE TABLE siliconfriend.night_plan (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    timezone text NOT NULL,
    due timestamptz NOT NULL,
    PRIMARY KEY (person, companion),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CREATE INDEX night_plan_due ON siliconfriend.night_plan (due);
CALL siliconfriend.wall('siliconfriend.night_plan');

-- Two more questions across people, answered with the owner's rights as siliconfriend.scopes() is.
CREATE POLICY names ON siliconfriend.night_plan FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION siliconfriend.nights_due(at timestamptz, most integer)
    RETURNS TABLE (person text, companion text, timezone text, due timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS
    $$ SELECT p.person, p.companion, p.timezone, p.due FROM siliconfriend.night_plan p
       WHERE p.due <= at ORDER BY p.due LIMIT most $$;
REVOKE EXECUTE ON FUNCTION siliconfriend.nights_due FROM PUBLIC;
CREATE FUNCTION siliconfriend.nights_unplanned(most integer)
    RETURNS TABLE (person text, companion text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS
    $$ SELECT s.person, s.companion FROM siliconfriend.scope s
       WHERE NOT EXISTS (SELECT FROM siliconfriend.night_plan p
                         WHERE p.person = s.person AND p.companion = s.companion) LIMIT most $$;
REVOKE EXECUTE ON FUNCTION siliconfriend.nights_unplanned FROM PUBLIC;

-- The queue: the tables of procrastinate as its package has them.
SET LOCAL search_path = siliconfriend;
-- INCLUDE procrastinate
-- Its functions find their tables whoever calls them.
DO $$
DECLARE
    named regprocedure;
BEGIN
    FOR named IN SELECT oid FROM pg_proc WHERE pronamespace = 'siliconfriend'::regnamespace
        AND starts_with(proname, 'procrastinate_') LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = siliconfriend, pg_temp', named);
    END LOOP;
END $$;
RESET search_path;

-- True for a job whose worker is silent for so long, and who holds nobody any more.
CREATE FUNCTION siliconfriend.is_stalled(
    job siliconfriend.procrastinate_jobs, silence interval) RETURNS boolean
    LANGUAGE sql VOLATILE AS $$
    SELECT NOT EXISTS (
        SELECT FROM siliconfriend.procrastinate_workers w
        WHERE w.id = job.worker_id AND w.last_heartbeat >= clock_timestamp() - silence
    ) AND NOT EXISTS (
        SELECT FROM siliconfriend.night_hold h
        WHERE h.scope = job.lock AND h.until >= clock_timestamp()) $$;

-- A night that waits for its turn goes with the person.
CREATE FUNCTION siliconfriend.forget_nights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM siliconfriend.procrastinate_jobs
        WHERE status = 'todo' AND lock = encode(sha256(
            convert_to(OLD.person, 'UTF8') || '\x00'::bytea || convert_to(OLD.companion, 'UTF8')
        ), 'hex');
    RETURN NULL;
END $$;
CREATE TRIGGER forget_nights AFTER DELETE ON siliconfriend.scope
    FOR EACH ROW EXECUTE FUNCTION siliconfriend.forget_nights();

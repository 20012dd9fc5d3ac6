-- What front ends agree on, wherever their processes run. No word of a memory stands here.
-- Rows that name a person are behind the wall. What has to be found before it is known whose it is
-- (a key, a session) is found by functions that are given its hash, which nobody can guess.

-- Drawn once: what the name of the page's cookie ends in.
CREATE TABLE siliconfriend.installation (cookie_id text NOT NULL);
INSERT INTO siliconfriend.installation
    VALUES (substr(md5(gen_random_uuid()::text || clock_timestamp()::text), 1, 16));

CREATE TABLE siliconfriend.password (
    person text COLLATE "C" PRIMARY KEY,
    hash text NOT NULL
);
CALL siliconfriend.wall('siliconfriend.password');

-- The operator's key has no person.
CREATE TABLE siliconfriend.key (
    hash text PRIMARY KEY,
    person text COLLATE "C" UNIQUE
);
CREATE UNIQUE INDEX one_operator ON siliconfriend.key ((person IS NULL)) WHERE person IS NULL;
CALL siliconfriend.wall('siliconfriend.key');
CREATE POLICY owners ON siliconfriend.key TO CURRENT_USER USING (true) WITH CHECK (true);

CREATE FUNCTION siliconfriend.key_owner(shown text) RETURNS TABLE (person text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS
    $$ SELECT person FROM siliconfriend.key WHERE hash = shown $$;

CREATE FUNCTION siliconfriend.make_operator_key(made text) RETURNS boolean
    LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    WITH kept AS (
        INSERT INTO siliconfriend.key (hash, person) VALUES (made, NULL)
        ON CONFLICT DO NOTHING RETURNING true)
    SELECT EXISTS (SELECT FROM kept) $$;

-- Who is logged in to the page, by the hash of the session's token.
CREATE TABLE siliconfriend.session (
    digest text PRIMARY KEY,
    person text COLLATE "C" NOT NULL,
    password text NOT NULL,         -- hash of the hash that let them in
    seen timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 80);
CREATE INDEX session_person ON siliconfriend.session (person);
CREATE INDEX session_seen ON siliconfriend.session (seen);
CALL siliconfriend.wall('siliconfriend.session');
CREATE POLICY owners ON siliconfriend.session TO CURRENT_USER USING (true) WITH CHECK (true);

-- When somebody was last seen may be a minute behind, so that not every request writes.
CREATE FUNCTION siliconfriend.see_session(shown text, idle interval)
    RETURNS TABLE (person text, password text)
    LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    UPDATE siliconfriend.session SET seen = clock_timestamp()
        WHERE digest = shown AND seen > clock_timestamp() - idle
        AND seen < clock_timestamp() - interval '1 minute';
    SELECT person, password FROM siliconfriend.session
        WHERE digest = shown AND seen > clock_timestamp() - idle $$;

CREATE FUNCTION siliconfriend.end_session(shown text) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = '' AS
    $$ DELETE FROM siliconfriend.session WHERE digest = shown $$;

CREATE FUNCTION siliconfriend.end_idle_sessions(idle interval) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    DELETE FROM siliconfriend.session WHERE digest IN (
        SELECT digest FROM siliconfriend.session WHERE seen <= clock_timestamp() - idle
        ORDER BY seen LIMIT 100 FOR UPDATE SKIP LOCKED) $$;

-- Tries to log in and requests, counted by hashes. After a crash of the server they are forgiven.
CREATE UNLOGGED TABLE siliconfriend.attempt (
    key text PRIMARY KEY,
    times timestamptz[] NOT NULL,
    until timestamptz NOT NULL      -- when none of them counts any more
);
CREATE INDEX attempt_until ON siliconfriend.attempt (until);

-- Count one attempt for all keys and return 0, or return the seconds until one may be made.
CREATE FUNCTION siliconfriend.take_attempt(keys text[], mosts integer[], span interval)
    RETURNS double precision LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
    moment timestamptz;
    wait interval;
BEGIN
    -- In one order always, so that two that ask for the same keys wait for each other.
    INSERT INTO siliconfriend.attempt AS known (key, times, until)
        SELECT asked, '{}', clock_timestamp() + span FROM unnest(keys) AS asked ORDER BY asked
        ON CONFLICT (key) DO UPDATE SET until = greatest(known.until, excluded.until);
    moment := clock_timestamp();
    UPDATE siliconfriend.attempt SET times = ARRAY(
            SELECT made FROM unnest(times) AS made WHERE made > moment - span ORDER BY made)
        WHERE key = ANY (keys);
    SELECT max(known.times[cardinality(known.times) - asked.most + 1] + span - moment) INTO wait
        FROM unnest(keys, mosts) AS asked (key, most)
        JOIN siliconfriend.attempt AS known USING (key)
        WHERE cardinality(known.times) >= asked.most;
    IF wait IS NOT NULL THEN
        RETURN extract(epoch FROM wait);
    END IF;
    UPDATE siliconfriend.attempt SET times = times || moment, until = moment + span
        WHERE key = ANY (keys);
    DELETE FROM siliconfriend.attempt WHERE key IN (
        SELECT key FROM siliconfriend.attempt WHERE until < moment
        ORDER BY until LIMIT 8 FOR UPDATE SKIP LOCKED);
    RETURN 0;
END $$;

-- Forget all attempts under one key, and as many of the last under another.
CREATE FUNCTION siliconfriend.forgive_attempts(own text, common text) RETURNS void
    LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
    slips integer;
BEGIN
    PERFORM FROM siliconfriend.attempt WHERE key IN (own, common) ORDER BY key FOR UPDATE;
    DELETE FROM siliconfriend.attempt WHERE key = own RETURNING cardinality(times) INTO slips;
    UPDATE siliconfriend.attempt SET times = trim_array(times, least(slips, cardinality(times)))
        WHERE key = common AND slips > 0;
END $$;

-- Who says a reply in which talk, and until when that holds unless it is said again.
CREATE UNLOGGED TABLE siliconfriend.reply (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    holder text NOT NULL UNIQUE,
    until timestamptz NOT NULL,
    is_stopped boolean NOT NULL DEFAULT false,
    PRIMARY KEY (person, companion)
) WITH (fillfactor = 50);
CALL siliconfriend.wall('siliconfriend.reply');
CREATE POLICY owners ON siliconfriend.reply TO CURRENT_USER USING (true) WITH CHECK (true);

CREATE FUNCTION siliconfriend.hold_replies(holders text[], span interval)
    RETURNS TABLE (holder text, is_stopped boolean)
    LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
    UPDATE siliconfriend.reply AS held SET until = clock_timestamp() + span
        WHERE held.holder = ANY (holders) RETURNING held.holder, held.is_stopped $$;

CREATE FUNCTION siliconfriend.talk_states(people text[], companions text[])
    RETURNS TABLE (person text, companion text, sequence bigint, is_answered boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
    SELECT known.person, known.companion, known.sequence,
        coalesce(held.until > clock_timestamp(), false)
    FROM unnest(people, companions) AS asked (person, companion)
    JOIN siliconfriend.scope AS known
        ON known.person = asked.person AND known.companion = asked.companion
    LEFT JOIN siliconfriend.reply AS held
        ON held.person = asked.person AND held.companion = asked.companion $$;

-- Erasings that are under way or were stopped: whose memory and which ids.
CREATE TABLE siliconfriend.erasing (
    name text PRIMARY KEY,
    person text COLLATE "C" NOT NULL,
    intent bytea NOT NULL
);
CALL siliconfriend.wall('siliconfriend.erasing');
CREATE POLICY owners ON siliconfriend.erasing FOR SELECT TO CURRENT_USER USING (true);

CREATE FUNCTION siliconfriend.erasings() RETURNS TABLE (name text, intent bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS
    $$ SELECT name, intent FROM siliconfriend.erasing ORDER BY name $$;

REVOKE EXECUTE ON FUNCTION
    siliconfriend.key_owner, siliconfriend.make_operator_key, siliconfriend.see_session,
    siliconfriend.end_session, siliconfriend.end_idle_sessions, siliconfriend.hold_replies,
    siliconfriend.talk_states, siliconfriend.erasings FROM PUBLIC;

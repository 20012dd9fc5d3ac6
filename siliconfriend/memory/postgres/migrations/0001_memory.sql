-- What is remembered. The change log is the truth; what rests is written from it.
-- Names compare and sort by code point, as they do in the program.

-- A person's rows are seen and written only where the transaction says that it is theirs.
CREATE PROCEDURE siliconfriend.wall(walled regclass) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', walled);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', walled);
    EXECUTE format(
        'CREATE POLICY own ON %s USING (person = current_setting(''siliconfriend.person'', true))'
        ' WITH CHECK (person = current_setting(''siliconfriend.person'', true))', walled);
END $$;

-- A memory: its row's lock is the memory's lock.
CREATE TABLE siliconfriend.scope (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    segment bigint NOT NULL,        -- by chance, another one wherever the log begins anew
    sequence bigint NOT NULL,       -- of the last change
    generation bigint NOT NULL,     -- how often it was put to rest
    folded_through bigint NOT NULL, -- the last change that stands in what rests
    log_bytes bigint NOT NULL,      -- of the lines behind it
    resting_bytes bigint NOT NULL,
    PRIMARY KEY (person, companion)
) WITH (fillfactor = 50);
CALL siliconfriend.wall('siliconfriend.scope');

-- The change log: the very lines a journal has.
CREATE TABLE siliconfriend.change (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    sequence bigint NOT NULL,
    line bytea NOT NULL,
    PRIMARY KEY (person, companion, sequence),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CALL siliconfriend.wall('siliconfriend.change');

-- What rests of what belongs to no day, by generation.
CREATE TABLE siliconfriend.resting (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    generation bigint NOT NULL,
    through bigint NOT NULL,        -- the last change that stands in it
    form bytea NOT NULL,
    PRIMARY KEY (person, companion, generation),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CALL siliconfriend.wall('siliconfriend.resting');

-- What rests of a day, from the generation it was written in until the one that wrote it anew.
CREATE TABLE siliconfriend.day (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    date text COLLATE "C" NOT NULL,
    since bigint NOT NULL,
    until bigint,
    through bigint NOT NULL,        -- the last change that stands in it
    mark bytea NOT NULL,            -- where it is the same, so is the day
    records bytea NOT NULL,
    outline bytea NOT NULL,
    PRIMARY KEY (person, companion, date, since),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CALL siliconfriend.wall('siliconfriend.day');

-- Rows that could not be read, as they were, until the memory is written anew.
CREATE TABLE siliconfriend.damaged (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    place text NOT NULL,
    data bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CREATE INDEX ON siliconfriend.damaged (person, companion);
CALL siliconfriend.wall('siliconfriend.damaged');

-- Who there is: the one question across people. Only the owner's rights reach the names.
CREATE POLICY names ON siliconfriend.scope FOR SELECT TO CURRENT_USER USING (true);
CREATE FUNCTION siliconfriend.scopes() RETURNS TABLE (person text, companion text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS
    $$ SELECT person, companion FROM siliconfriend.scope ORDER BY person, companion $$;
REVOKE EXECUTE ON FUNCTION siliconfriend.scopes() FROM PUBLIC;

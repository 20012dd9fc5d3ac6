-- What was made of words to search them: a cache, of which all can be made again.
-- Texts are known by their SHA-256. Tokens are bytes: a text of the database holds no NUL.

-- By which rules and embedder, and after which erasure, the rows of a scope were made. Its lock
-- is held by whoever writes them.
CREATE TABLE siliconfriend.index_state (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    stamps jsonb NOT NULL DEFAULT '{}',
    erasures bigint NOT NULL DEFAULT 0,   -- memories erased when the rows were last written anew
    associated bigint NOT NULL DEFAULT 0, -- how often the table of associated words was replaced
    PRIMARY KEY (person, companion),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CALL siliconfriend.wall('siliconfriend.index_state');

-- The tokens of a text, in its order.
CREATE TABLE siliconfriend.index_entry (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    words bytea,
    PRIMARY KEY (person, companion, digest),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CALL siliconfriend.wall('siliconfriend.index_entry');

-- Its vector, apart from the tokens and beside each other, so that all of a person's are read at once.
CREATE TABLE siliconfriend.index_vector (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    vector vector NOT NULL,
    PRIMARY KEY (person, companion, digest),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
ALTER TABLE siliconfriend.index_vector ALTER vector SET STORAGE MAIN;
CALL siliconfriend.wall('siliconfriend.index_vector');

-- The days that a text speaks of.
CREATE TABLE siliconfriend.index_spoken (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    days text NOT NULL,
    PRIMARY KEY (person, companion, key),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CALL siliconfriend.wall('siliconfriend.index_spoken');

-- Words that bring others to mind; a word that was compared by meaning stands with none, level 0.
CREATE TABLE siliconfriend.index_association (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    word bytea NOT NULL,
    other bytea NOT NULL,
    level smallint NOT NULL,
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CREATE INDEX ON siliconfriend.index_association (person, companion);
CALL siliconfriend.wall('siliconfriend.index_association');

-- When a text was compared that need not be a memory.
CREATE TABLE siliconfriend.index_used (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    used timestamptz NOT NULL,
    PRIMARY KEY (person, companion, digest),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
CALL siliconfriend.wall('siliconfriend.index_used');

-- All rows of an index in one piece, so that it is opened in one reading.
CREATE TABLE siliconfriend.index_snapshot (
    person text COLLATE "C" NOT NULL,
    companion text COLLATE "C" NOT NULL,
    stamp text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (person, companion),
    FOREIGN KEY (person, companion) REFERENCES siliconfriend.scope ON DELETE CASCADE
);
ALTER TABLE siliconfriend.index_snapshot ALTER data SET STORAGE EXTERNAL;
CALL siliconfriend.wall('siliconfriend.index_snapshot');

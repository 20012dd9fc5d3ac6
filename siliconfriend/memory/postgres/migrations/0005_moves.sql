-- What is known of a memory as one copy of several, once it was moved from one store to another:
-- a sealed JSON object, as move.json is.
ALTER TABLE siliconfriend.scope ADD COLUMN note bytea;

#!/bin/sh
# Who there is in the database: one that owns the tables, and the programs' own, which owns nothing,
# so that row-level security holds for it. Run as an administrator of the database, once; the
# passwords are read from files.
set -eu

folder=${SECRETS:-/run/secrets}
psql --set ON_ERROR_STOP=1 --no-psqlrc --quiet \
    --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-siliconfriend}" \
    --set owner_password="$(cat "$folder/owner_password")" \
    --set app_password="$(cat "$folder/app_password")" <<'SQL'
CREATE ROLE siliconfriend_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE siliconfriend_app LOGIN PASSWORD :'app_password';
SELECT format('GRANT CREATE ON DATABASE %I TO siliconfriend_owner', current_database()) \gexec
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SQL

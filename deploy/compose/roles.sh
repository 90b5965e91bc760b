#!/bin/sh
# Run once by the image of PostgreSQL, when the database is made: the roles of gates and of operators, which own nothing.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$(cat /run/secrets/gate_password)" \
  --set operator_password="$(cat /run/secrets/operator_password)" <<'SQL'
CREATE ROLE gate LOGIN PASSWORD :'password';
-- For commands that remove or revoke, and the daily look at old lines of the trail.
CREATE ROLE operator LOGIN PASSWORD :'operator_password';
SQL

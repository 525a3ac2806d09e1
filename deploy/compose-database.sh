# Run by the database's container of compose.yaml when its volume is empty: makes the role and the database of the service. The role
# owns that database and nothing else. The superuser, postgres, loses its password, so that it can only be used inside the container:
#   docker compose -f deploy/compose.yaml exec db psql --username=postgres
set -e
psql --username="$POSTGRES_USER" --dbname=postgres --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" << 'SQL'
CREATE ROLE latchkey LOGIN PASSWORD :'password';
CREATE DATABASE latchkey OWNER latchkey;
REVOKE CONNECT ON DATABASE postgres, template1, latchkey FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL

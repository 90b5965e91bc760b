/**
 * Versions of the schema, each applied once and in order. A version that was released never changes.
 * Everything lies in the schema `sekisho`, and every statement says so: no search path decides what is meant.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sekisho.contexts (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    issuer text NOT NULL, project_id text NOT NULL, origin text NOT NULL,
    UNIQUE (issuer, project_id, origin)
  );
  CREATE TABLE sekisho.sessions (
    key text PRIMARY KEY,
    context integer NOT NULL REFERENCES sekisho.contexts,
    id text NOT NULL UNIQUE, sub text NOT NULL, email text NOT NULL, name text,
    device text NOT NULL, address text NOT NULL,
    started_at bigint NOT NULL, last_seen_at bigint NOT NULL, proven_at bigint NOT NULL,
    refresh bytea NOT NULL
  ) WITH (fillfactor = 80); -- last uses are no key of an index, so writing one touches no index
  CREATE INDEX sessions_of_account ON sekisho.sessions (context, sub);
  CREATE INDEX sessions_by_proof ON sekisho.sessions (context, proven_at, key);
  CREATE INDEX sessions_by_address ON sekisho.sessions (lower(email));
  CREATE TABLE sekisho.session_ends (key text PRIMARY KEY, reason text NOT NULL, ended_at bigint NOT NULL);
  CREATE TABLE sekisho.spent_tokens (digest text PRIMARY KEY, expires_at bigint NOT NULL);
  CREATE TABLE sekisho.accounts (
    context integer NOT NULL REFERENCES sekisho.contexts, email text NOT NULL, sub text NOT NULL,
    PRIMARY KEY (context, email)
  );
  CREATE TABLE sekisho.revocations (id text PRIMARY KEY, email text NOT NULL);
  CREATE TABLE sekisho.leases (
    context integer NOT NULL REFERENCES sekisho.contexts, name text NOT NULL,
    holder text NOT NULL, expires_at timestamptz NOT NULL,
    PRIMARY KEY (context, name)
  );
  CREATE TABLE sekisho.rate_limits (
    bucket text PRIMARY KEY, tokens double precision NOT NULL, filled_at timestamptz NOT NULL,
    is_granted boolean NOT NULL
  ) WITH (fillfactor = 80);
  CREATE TABLE sekisho.search_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    context integer NOT NULL REFERENCES sekisho.contexts, day date NOT NULL,
    q text NOT NULL, hits integer, rank integer, page text, after text
  );
  CREATE INDEX search_log_by_day ON sekisho.search_log (context, day, id);

  CREATE FUNCTION sekisho.tell_ended() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  DECLARE ended bigint;
  BEGIN
    IF TG_OP = 'TRUNCATE' THEN
      PERFORM pg_notify('sekisho_ended', '');
      RETURN NULL;
    END IF;
    SELECT count(*) INTO ended FROM gone;
    IF ended > 100 THEN
      PERFORM pg_notify('sekisho_ended', '');
    ELSIF ended > 0 THEN
      PERFORM pg_notify('sekisho_ended', (SELECT string_agg(key, ',') FROM gone));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tell_ended AFTER DELETE ON sekisho.sessions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION sekisho.tell_ended();
  CREATE TRIGGER tell_emptied AFTER TRUNCATE ON sekisho.sessions
    FOR EACH STATEMENT EXECUTE FUNCTION sekisho.tell_ended();
  CREATE FUNCTION sekisho.tell_revoked() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    PERFORM pg_notify('sekisho_revoked', '');
    RETURN NULL;
  END $$;
  CREATE TRIGGER tell_revoked AFTER INSERT ON sekisho.revocations
    FOR EACH STATEMENT EXECUTE FUNCTION sekisho.tell_revoked();
  `,
  `
  CREATE TABLE sekisho.audit_lines (
    chain text NOT NULL, seq bigint NOT NULL, prev text NOT NULL, hash text NOT NULL, line text NOT NULL,
    PRIMARY KEY (chain, seq)
  );
  CREATE TABLE sekisho.audit_heads (chain text PRIMARY KEY, signed text NOT NULL);
  `,
  `
  ALTER TABLE sekisho.sessions ADD COLUMN parent text REFERENCES sekisho.sessions ON DELETE CASCADE;
  CREATE INDEX sessions_by_parent ON sekisho.sessions (parent) WHERE parent IS NOT NULL;
  `,
  `
  CREATE TABLE sekisho.publish_tokens (
    digest text PRIMARY KEY, id text NOT NULL UNIQUE, name text NOT NULL, may text NOT NULL,
    created_at bigint NOT NULL, expires_at bigint NOT NULL
  );
  `,
  `
  ALTER TABLE sekisho.sessions ADD COLUMN issuer text NOT NULL DEFAULT '', ADD COLUMN sid text,
    ADD COLUMN vouched text NOT NULL DEFAULT '["address","all"]';
  UPDATE sekisho.sessions SET issuer = contexts.issuer FROM sekisho.contexts WHERE contexts.id = context;
  DROP INDEX sekisho.sessions_of_account;
  CREATE INDEX sessions_of_account ON sekisho.sessions (context, issuer, sub);
  CREATE INDEX sessions_by_sid ON sekisho.sessions (context, issuer, sid) WHERE sid IS NOT NULL;
  ALTER TABLE sekisho.accounts ADD COLUMN issuer text NOT NULL DEFAULT '';
  UPDATE sekisho.accounts SET issuer = contexts.issuer FROM sekisho.contexts WHERE contexts.id = context;
  ALTER TABLE sekisho.accounts DROP CONSTRAINT accounts_pkey, ADD PRIMARY KEY (context, issuer, email);
  `,
  `
  ALTER TABLE sekisho.sessions ADD COLUMN kind text NOT NULL DEFAULT '';
  CREATE INDEX sessions_standing ON sekisho.sessions (context, started_at) WHERE kind = 'standing';
  CREATE TABLE sekisho.grants (
    id text PRIMARY KEY, session text NOT NULL REFERENCES sekisho.sessions ON DELETE CASCADE, kind text NOT NULL,
    client text NOT NULL, name text NOT NULL, edition text, created_at bigint NOT NULL, expires_at bigint NOT NULL,
    used_at bigint, calls bigint NOT NULL, refresh text NOT NULL, seal bytea NOT NULL
  );
  CREATE INDEX grants_of_session ON sekisho.grants (session);
  CREATE INDEX grants_by_end ON sekisho.grants (expires_at);
  CREATE TABLE sekisho.grant_tokens (
    digest text PRIMARY KEY, grant_id text NOT NULL REFERENCES sekisho.grants ON DELETE CASCADE, use text NOT NULL, detail text NOT NULL,
    expires_at bigint NOT NULL, seal bytea NOT NULL
  );
  CREATE INDEX grant_tokens_of_grant ON sekisho.grant_tokens (grant_id);
  CREATE INDEX grant_tokens_by_end ON sekisho.grant_tokens (expires_at);
  CREATE TABLE sekisho.agent_clients (
    id text PRIMARY KEY, name text NOT NULL, redirects text NOT NULL, used_at bigint NOT NULL
  );
  CREATE INDEX agent_clients_by_use ON sekisho.agent_clients (used_at);
  `,
  `
  CREATE TABLE sekisho.secret (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), fingerprint text NOT NULL, audit_key bytea NOT NULL
  );
  CREATE TABLE sekisho.audit_removals (chain text PRIMARY KEY, signed text NOT NULL);
  `,
  `
  ALTER TABLE sekisho.search_log ADD COLUMN by_agent boolean NOT NULL DEFAULT false;
  `,
  `
  CREATE TABLE sekisho.acknowledgements (
    path text COLLATE "C" NOT NULL, version text COLLATE "C" NOT NULL, issuer text COLLATE "C" NOT NULL, sub text COLLATE "C" NOT NULL,
    email text NOT NULL, page text NOT NULL, text text NOT NULL, release text NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (path, version, issuer, sub)
  );
  CREATE INDEX acknowledgements_of_account ON sekisho.acknowledgements (issuer, sub, at);
  `,
  `
  CREATE TABLE sekisho.visits (
    issuer text NOT NULL, sub text NOT NULL, edition text NOT NULL, base text NOT NULL, release text NOT NULL, at bigint NOT NULL,
    is_off integer NOT NULL, PRIMARY KEY (issuer, sub)
  );
  CREATE INDEX visits_by_time ON sekisho.visits (at);
  `,
  `
  CREATE TABLE sekisho.notices (
    key text PRIMARY KEY, kind text NOT NULL, recipient text NOT NULL, subject text NOT NULL, created_at bigint NOT NULL,
    due_at bigint NOT NULL, claim text NOT NULL, attempts integer NOT NULL, state text NOT NULL
  );
  CREATE INDEX notices_by_time ON sekisho.notices (state, due_at);
  CREATE TABLE sekisho.watches (
    issuer text COLLATE "C" NOT NULL, sub text COLLATE "C" NOT NULL, email text NOT NULL, folders text NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (issuer, sub)
  );
  ALTER TABLE sekisho.search_log ADD COLUMN edition text NOT NULL DEFAULT '';
  `,
  `
  CREATE TABLE sekisho.page_readers (week text NOT NULL, path text NOT NULL, digest text NOT NULL, PRIMARY KEY (week, path, digest));
  CREATE TABLE sekisho.page_weeks (path text NOT NULL, week text NOT NULL, readers integer NOT NULL, PRIMARY KEY (path, week));
  `,
  `
  ALTER TABLE sekisho.search_log ADD COLUMN reader text NOT NULL DEFAULT '';
  `,
]

/**
 * Version since which the schema only gains tables and columns with defaults, so that software which knows it works with every later one:
 * a minor version of this product may bring several. A version that removes something sets it to the one that replaced that.
 */
export const ADDITIVE_SINCE = 7

/**
 * All privileges of a gate's role: it cannot free an address, change a session's owner, make a publish token, change or remove a line of
 * the trail, or alter the schema. `sekisho migrate --grant ROLE` grants exactly these.
 */
export const GATE_GRANTS: readonly string[] = [
  'USAGE ON SCHEMA sekisho',
  'SELECT ON sekisho.migrations',
  'SELECT, INSERT, UPDATE ON sekisho.secret',
  'SELECT, INSERT ON sekisho.contexts, sekisho.accounts',
  'SELECT, INSERT, DELETE ON sekisho.sessions, sekisho.session_ends, sekisho.spent_tokens, sekisho.revocations',
  'UPDATE (last_seen_at, proven_at, refresh, vouched) ON sekisho.sessions',
  'SELECT, INSERT, UPDATE, DELETE ON sekisho.leases, sekisho.rate_limits',
  'SELECT, INSERT, DELETE ON sekisho.grants, sekisho.grant_tokens, sekisho.agent_clients',
  'UPDATE (used_at, calls, refresh, seal) ON sekisho.grants',
  'UPDATE (seal) ON sekisho.grant_tokens',
  'UPDATE (used_at) ON sekisho.agent_clients',
  'SELECT ON sekisho.publish_tokens',
  'SELECT, INSERT ON sekisho.acknowledgements',
  'SELECT, INSERT, UPDATE, DELETE ON sekisho.visits, sekisho.notices, sekisho.watches',
  'SELECT, INSERT, DELETE ON sekisho.search_log, sekisho.page_readers, sekisho.page_weeks',
  'SELECT, INSERT ON sekisho.audit_lines, sekisho.audit_heads',
  'SELECT ON sekisho.audit_removals',
  'UPDATE (signed) ON sekisho.audit_heads',
]

/**
 * Privileges of the operators' role, separate from gates: ending sessions, freeing addresses, making publish tokens, and removing expired
 * trail lines, each with a line of its own. `sekisho migrate --grant-operator ROLE` grants exactly these.
 */
export const OPERATOR_GRANTS: readonly string[] = [
  'USAGE ON SCHEMA sekisho',
  'SELECT ON sekisho.migrations, sekisho.contexts, sekisho.search_log, sekisho.acknowledgements, sekisho.page_weeks',
  'SELECT, INSERT ON sekisho.secret, sekisho.session_ends, sekisho.revocations',
  'SELECT, DELETE ON sekisho.sessions, sekisho.accounts',
  'SELECT, INSERT, DELETE ON sekisho.publish_tokens, sekisho.audit_lines',
  'SELECT, INSERT, UPDATE ON sekisho.audit_heads, sekisho.audit_removals',
]

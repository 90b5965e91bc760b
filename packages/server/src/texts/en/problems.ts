/** Problems of an operator's settings and files. */
export const problems = {
  // What any setting may be
  unknown_setting: (name: string) => `${name} is not a setting`,
  renamed_setting: (earlier: string, name: string) =>
    `${earlier} is called ${name} now; the earlier name works until the next minor version`,
  bad_port: (name: string) => `${name} must be a port number from 0 to 65535`,
  bad_count: (name: string, min: number, max: number) =>
    `${name} must be a whole number from ${min} to ${max}`,
  too_short: (name: string, least: string) => `${name} makes no sense below ${least}`,
  duration_too_long: (name: string, most: string) => `${name} makes no sense above ${most}`,
  bad_listen_host: (name: string, host: string) =>
    `${name}=${host} is neither an address nor a host name: use 127.0.0.1, 0.0.0.0 or one of this machine's addresses`,
  same_port: (port: number) =>
    `SEKISHO_PORT and SEKISHO_METRICS_PORT are both ${port}: choose another one for the metrics`,
  clear_embeddings: (host: string) =>
    `SEKISHO_EMBEDDINGS_URL must be an https address: ${host} is another machine, and whoever can listen on the way reads what readers search for`,
  clear_database: (host: string) =>
    `SEKISHO_DATABASE_URL says sslmode=disable, and ${host} is another machine: whoever listens between reads sessions and may change them; say sslmode=verify-full`,
  proxy_elsewhere: (host: string) =>
    `SEKISHO_HOST=${host} takes connections from this machine alone, and SEKISHO_TRUSTED_PROXIES does not name 127.0.0.1: everybody would have the proxy's address, and one flood locks all of them out`,
  bad_duration: (name: string) => `${name} must be a duration such as 90s, 5m, 12h or 7d`,
  risky_short: (name: string, shortest: string, harm: string) =>
    `${name} must not be shorter than ${shortest}: ${harm}`,
  too_long: (name: string, longest: string, harm: string) =>
    `${name} must not be longer than ${longest}: ${harm}`,
  unreadable_file: (name: string) => `${name} cannot be read`,
  setting: (name: string, problem: string) => `${name}: ${problem}`,

  // The gate itself
  bad_origin: 'SEKISHO_ORIGIN must be an https origin without a path, as in https://docs.example.com',
  bad_local_origin: 'SEKISHO_ORIGIN must be an http loopback origin with --local',
  local_in_production: '--local refuses to run with NODE_ENV=production',
  local_off_loopback: 'SEKISHO_HOST must be a loopback address with --local',
  emulator: (name: string) => `${name} is set: an emulator has no place in production`,
  bad_time_zone: 'SEKISHO_TIME_ZONE must be a time zone such as Asia/Tokyo',
  idle_beyond_absolute: 'SEKISHO_SESSION_IDLE must not be longer than SEKISHO_SESSION_ABSOLUTE',
  short_secret: (minChars: number) =>
    `SEKISHO_SECRET (or the file SEKISHO_SECRET_FILE) must hold at least ${minChars} characters; make one with: openssl rand -base64 33`,
  bad_previous_secret: (minChars: number) =>
    `SEKISHO_SECRET_PREVIOUS_FILE must hold the secret that was in use before, of at least ${minChars} characters, and another one than SEKISHO_SECRET`,
  needs: (name: string, other: string) => `${name} does nothing without ${other}`,
  metrics_public: (host: string) =>
    `SEKISHO_METRICS_HOST=${host} serves metrics to everybody who reaches it: set SEKISHO_METRICS_NETWORKS or SEKISHO_METRICS_TOKEN_FILE`,
  short_metrics_token: (minChars: number) =>
    `SEKISHO_METRICS_TOKEN_FILE must hold at least ${minChars} characters without spaces; make one with: openssl rand -hex 32`,
  every_address: (entry: string) => `${entry} holds every address`,
  bad_agent_client: (entry: string) =>
    `SEKISHO_AGENT_CLIENTS: ${entry} is not ID=ADDRESS, as in gemini=http://localhost:7777/oauth/callback; an address is https, or http on localhost, 127.0.0.1 or [::1]`,
  bad_agent_allowed: (entry: string) =>
    `SEKISHO_AGENT_ALLOW: ${entry} is neither a host, as in claude.ai, nor the whole https address of a client’s document, nor the word registered`,

  // Database and bucket
  bad_database_url: (setting: string) =>
    `${setting} must be a URL such as postgres://gate@db.example.com/sekisho?sslmode=verify-full`,
  unsafe_database_url: (setting: string) =>
    `${setting} must say sslmode=verify-full, or sslmode=disable where nobody else can listen: what other modes check differs from one program to the next`,
  standby_database_url: (setting: string) =>
    `${setting} must say target_session_attrs=read-write, or nothing of it: a gate writes, and has no use for a standby`,
  bad_database_hosts: (setting: string) =>
    `${setting} must name one server, or up to nine with commas between them, as in postgres://gate@db-1.example.com,db-2.example.com/sekisho, and none of several in host= or port=`,
  listen_url_alone:
    'SEKISHO_DATABASE_LISTEN_URL is for a SEKISHO_DATABASE_URL that leads to a pooler: set both, or move it there',
  bad_answers_url:
    'SEKISHO_ANSWERS_URL must be an https address that ends in /chat/completions, without a user, password or fragment. Plain http is for loopback and for hosts that SEKISHO_ANSWERS_PRIVATE_HOSTS names',
  no_answers_model: 'SEKISHO_ANSWERS_URL needs SEKISHO_ANSWERS_MODEL, the name of a model of that endpoint',
  bad_notices_webhook:
    'SEKISHO_NOTICES_WEBHOOK must be an https address without a user or fragment. Plain http is for hosts that SEKISHO_NOTICES_PRIVATE_HOSTS names',
  bad_notices_key:
    'the file of SEKISHO_NOTICES_KEY_FILE must hold whsec_ and at least 24 random bytes in base64, and the format json needs it. Make one with: echo "whsec_$(openssl rand -base64 32)"',
  bad_notices_smtp:
    'SEKISHO_NOTICES_SMTP must be an address as in smtps://USER:PASSWORD@HOST:465 or smtp://HOST:587, without a path',
  bad_notices_from:
    'SEKISHO_NOTICES_SMTP needs SEKISHO_NOTICES_FROM, one mail address that mail is sent from',
  bad_notices_owner: (entry: string) =>
    `${entry} in SEKISHO_NOTICES_OWNERS is not an owner and its mail address, as in payments=payments@example.co.jp`,
  bad_answers_key: 'the file of SEKISHO_ANSWERS_KEY_FILE must hold the key alone, on one line of ASCII',
  bad_embeddings_url:
    'SEKISHO_EMBEDDINGS_URL must be an http or https address such as https://ai.example.com/v1/embeddings, without a user or password',
  bad_releases:
    'SEKISHO_RELEASES must be s3://BUCKET/PREFIX?endpoint=https://…&region=…, or the absolute path of a folder',
  unsafe_endpoint:
    'SEKISHO_RELEASES: the endpoint must be an https address; what passes there is everything readers may read',
  no_bucket_key:
    'SEKISHO_RELEASES names a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or …_FILE with files that can be read',

  // Risks
  unknown_risk: (name: string, known: readonly string[]) =>
    `SEKISHO_ACCEPT_RISKS: ${name} is none of ${known.join(', ')}`,
  risks_not_accepted: (codes: readonly string[]) =>
    `the gate does not start like this; if it is what you want nevertheless, set SEKISHO_ACCEPT_RISKS=${codes.join(',')}`,
  no_proxy: (host: string) =>
    `SEKISHO_TRUSTED_PROXIES must name the proxy that speaks https for ${host}: without it everybody has the proxy's address, and one flood locks all of them out`,
  origin_label: 'the origin',
  wide_proxies: (block: string) =>
    `SEKISHO_TRUSTED_PROXIES must not hold ${block}: anybody in it may claim any address; name the addresses of your proxies`,
  public_mail: (domain: string) =>
    `${domain} is a public mail service, so the policy would admit everybody: name single addresses instead (SEKISHO_ALLOWED_EMAILS, or "emails" in the policy file)`,
  unchecked_tls:
    'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anybody on the network pose as the identity service: unset it; a certificate authority of your own is named with NODE_EXTRA_CA_CERTS',
  harm_of_interval: 'a disabled account stays in as long',
  harm_of_grace: 'nobody is proven for as long in an outage',
  harm_of_idle: 'a browser left alone stays signed in as long',
  risk_absolute: 'a stolen session works as long',
  harm_of_short_interval:
    'the identity service is asked about every reader as often, and limits who asks so much',
  harm_of_short_grace: 'the identity service need be away no longer for every reader to be refused',
  harm_of_short_idle: 'whoever reads a page for as long is signed out',

  // Who may read
  policy_admits_none:
    'nobody is admitted: set SEKISHO_ALLOWED_DOMAINS, SEKISHO_ALLOWED_EMAILS or SEKISHO_POLICY_FILE',
  policy: (problem: string) => `access policy: ${problem}`,
  policy_text: (problem: string) => `the policy ${problem}`,
  policy_no_object: 'the policy is not a JSON object',
  policy_unknown_key: (key: string) => `unknown key ${key}`,
  policy_no_lists: '"domains" and "emails" must be lists of texts',
  policy_no_groups: '"groups" must be lists of texts by their names',
  policy_no_viewing: '"viewingAs" must be a list of names of groups',
  policy_empty: 'the policy admits nobody',
  no_domain: (text: string) => `${text} is not a domain`,
  no_address: (text: string) => `${text} is not an address`,
  no_group: (name: string) => `${name} is not a group: up to 40 lower-case letters, digits and hyphens`,
  no_viewing_group: (name: string) => `viewingAs: ${name} is none of the groups of the policy`,
  no_rule: (rule: string) => `${rule} is not a rule`,

  // Who may publish
  bad_issuer: 'must be an https URL without a slash at its end',
  no_repository: 'must name repository_id (GitHub) or project_id (GitLab), the number and not the name',
  number_in_quotes: 'a number in quotes',
  whole_ref: 'a whole ref, as in refs/heads/main',
  no_right: (known: readonly string[]) => `must name one of ${known.join(', ')} at least`,
  wide_ref: 'may end with * for previews only: name the ref that is published',

  // Who signs readers in
}

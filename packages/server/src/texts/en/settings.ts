/** Meaning of each setting; the handbook's page is made of it. */
export const settings = {
  SEKISHO_ORIGIN:
    'the one https address readers use, as in `https://docs.example.com`; set it for `sekisho build` as well, since feeds and canonical links name it',
  SEKISHO_HOST: 'where to listen',
  SEKISHO_PORT: 'port to listen on; `PORT` is read too',
  SEKISHO_TRUSTED_PROXIES: 'addresses or CIDR blocks whose `X-Forwarded-For` is believed',
  SEKISHO_KEEP_ALIVE:
    'how long a connection may rest between two requests; longer than the proxy in front keeps it',
  SEKISHO_STOP_WITHIN:
    'how long whoever supervises the gate waits after SIGTERM: half of it is for responses under way, and three seconds before its end what does not answer is given up',
  SEKISHO_ACCEPT_RISKS:
    'risks to start with nevertheless, by the names that `sekisho serve` gives them: `no-proxy`, `wide-proxies`, `public-mail`, `unchecked-tls`, `clear-database`, `clear-embeddings`',
  SEKISHO_NETWORKS:
    'names of networks, as in `本社=192.0.2.0/24,VPN=10.0.0.0/8`: readers then see from which of them each of their sessions was opened',
  SEKISHO_DATA_DIR: 'folder for releases, sessions and the audit trail; each gate has its own',
  SEKISHO_SECRET:
    'at least 32 characters; seals the stored refresh tokens. In production put it in a file, with the next setting',
  SEKISHO_SECRET_FILE: 'file that holds the secret',
  SEKISHO_SECRET_PREVIOUS_FILE:
    'file that holds the secret before this one, while it is replaced: sessions outlive that',
  SEKISHO_DATABASE_URL:
    'PostgreSQL 15 or newer that several gates share, as in `postgres://gate:…@db.example.com/sekisho?sslmode=verify-full`; run `sekisho migrate --grant gate` first, as the owner of the schema. Without it, files in the data folder',
  SEKISHO_DATABASE_URL_FILE: 'file that holds this URL',
  SEKISHO_DATABASE_LISTEN_URL:
    'the database itself, where `SEKISHO_DATABASE_URL` leads to a pooler of transactions (pgbouncer); commands use it, too',
  SEKISHO_DATABASE_LISTEN_URL_FILE: 'file that holds that URL',
  SEKISHO_RELEASES:
    'where releases are published for several machines: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`, or the absolute path of a shared folder; each gate keeps a copy of what it serves. Without it, the data folder',
  AWS_ACCESS_KEY_ID:
    'key of the bucket; also `AWS_ACCESS_KEY_ID_FILE`, a file that is read anew for each request',
  AWS_SECRET_ACCESS_KEY: 'its secret; also `AWS_SECRET_ACCESS_KEY_FILE`',
  AWS_SESSION_TOKEN: 'its session token, if there is one; also `AWS_SESSION_TOKEN_FILE`',
  SEKISHO_RELEASES_KEEP:
    'how long a release is kept after another took its place, so that open tabs go on working',
  SEKISHO_RELEASES_MAX: 'how many releases are kept at most; 0: any number',
  SEKISHO_PUBLISH_RULES_FILE:
    'JSON file that says which jobs of GitHub Actions and GitLab CI may publish, read again when it changes; without it publish tokens alone count',
  SEKISHO_PUBLISH_MAX_MB: 'how much may wait here of releases that are being sent, in MB',
  SEKISHO_PUBLISH_MAX_FILES:
    'how many files and redirects the editions of a release may have together; of a preview by a publisher of previews alone 10,000',
  SEKISHO_PUBLISH_TOKEN: 'for `sekisho publish`: a token made with `sekisho tokens create`',
  SEKISHO_ID_TOKEN: "for `sekisho publish`: the ID token of a GitLab job, for the portal's origin",
  SEKISHO_ALLOWED_DOMAINS:
    'mail domains that may read. One of this, the next two is required: unset is an error, never “everyone”',
  SEKISHO_ALLOWED_EMAILS: 'single addresses that may read',
  SEKISHO_POLICY_FILE:
    'JSON `{ "domains": [], "emails": [], "groups": {} }` in their place, read again when it changes',
  SEKISHO_POLICY_KEEP:
    'how long the last valid policy stays in force while its file cannot be read or understood; then nobody is served. The same for publish rules. `0`: not at all',
  SEKISHO_SESSION_IDLE: 'a session unused for so long ends',
  SEKISHO_SESSION_ABSOLUTE: 'a session this old ends, used or not',
  SEKISHO_REVALIDATION_INTERVAL: 'how often each account is proven again',
  SEKISHO_REVALIDATION_GRACE: 'how long sessions outlive an outage of the identity service',
  SEKISHO_CSP_ALLOW:
    'what pages may use from other hosts, as in `img https://images.example.com; frame https://www.youtube.com`; kinds: `img`, `media`, `font`, `style`, `script`, `connect`, `frame`, `worker`, `form`. What each one costs is said by `sekisho check`',
  SEKISHO_IDENTITY:
    'who signs readers in: `firebase`, `oidc`, or both as in `oidc,firebase`; with `--local` also `local`, which is the default there',
  SEKISHO_OIDC_ISSUER:
    'issuer of an OpenID provider, exactly as its tokens name it; a second one has `SEKISHO_OIDC_2_ISSUER`, and so on for every `SEKISHO_OIDC_` setting, up to 9',
  SEKISHO_OIDC_CLIENT_ID: 'client id of the portal at the provider',
  SEKISHO_OIDC_CLIENT_SECRET: 'its client secret',
  SEKISHO_OIDC_CLIENT_SECRET_FILE: 'file that holds the client secret',
  SEKISHO_OIDC_PRIVATE_KEY_FILE: 'private key (PKCS #8 PEM, RSA or P-256) in place of a client secret',
  SEKISHO_OIDC_TOKEN_AUTH:
    'how the token endpoint is shown the client: `client_secret_basic`, `client_secret_post`, or `none` for a public client without a secret; without it, by what the provider announces',
  SEKISHO_OIDC_NAME:
    'short name of the provider, before its groups in the policy and in addresses of the gate; without it `entra`, `google`, `okta`, `keycloak` or `oidc`, by the issuer',
  SEKISHO_OIDC_LABEL: 'what readers call its accounts, on the button of the login page',
  SEKISHO_OIDC_VENDOR:
    '`entra`, `google`, `okta`, `keycloak` or `oidc`, where the issuer does not say which it is (a domain of your own)',
  SEKISHO_OIDC_DOMAINS:
    'mail domains whose addresses the provider may vouch for; required with several providers',
  SEKISHO_OIDC_SCOPES: "scopes to ask for, separated by spaces; without it those of the provider's kind",
  SEKISHO_OIDC_GROUPS_CLAIM: 'claim of the ID token or of the userinfo endpoint that lists groups',
  FIREBASE_API_KEY:
    '`apiKey` of the Firebase web app; this and the next two are required with Firebase. Invalid: the gate starts, admits nobody, and says in its log which one is wrong',
  FIREBASE_AUTH_DOMAIN: "the portal's own host, without `https://`",
  FIREBASE_PROJECT_ID: '`projectId` of the Firebase project',
  FIREBASE_STORAGE_BUCKET: '`storageBucket` of the Firebase project; may be left out',
  SEKISHO_AGENTS: 'whether agents may read over `/mcp`, `on` or `off`',
  SEKISHO_AGENT_ALLOW:
    'which agents may ask readers: hosts or addresses of client documents, and `registered` for those that register themselves; unless it is set, those that register and the known ones of Claude, VS Code, ChatGPT, Codex, opencode, Goose and Zed',
  SEKISHO_AGENT_CLIENTS:
    'clients with ids of your own, as in `gemini=http://localhost:7777/oauth/callback`; an id with several addresses is named several times',
  SEKISHO_PERSONAL_TOKENS: 'whether readers may make tokens for scripts of their own, `on` or `off`',
  SEKISHO_TITLE: 'what the login page calls the portal',
  SEKISHO_TAGLINE: 'the line below it',
  SEKISHO_LOGIN_LANG:
    "language of the login page, `ja` or `en`; below a further locale of the site, that one's",
  SEKISHO_TIME_ZONE: "by whose clock the account page and a preview's banner show times: an IANA name",
  SEKISHO_EMBEDDINGS_URL:
    'where the questions of readers become vectors, in a search whose index was made with a model: the whole address of an endpoint of OpenAI’s form, as in `https://ai.example.com/v1/embeddings`. What readers search for is sent there; without it nothing is, and pages are found by their words alone',
  SEKISHO_EMBEDDINGS_KEY: 'its key, sent as a bearer token; read by `sekisho build` and `sekisho pack`, too',
  SEKISHO_EMBEDDINGS_KEY_FILE: 'file that holds this key',
  SEKISHO_ANSWERS:
    'use of the model: `all` answers readers’ questions and rewrites sentences in the search to short queries; `rewrite` only rewrites, and sends no text of pages',
  SEKISHO_ANSWERS_URL:
    'the whole address of a chat endpoint of OpenAI’s form, as in `https://ai.example.com/v1/chat/completions`: readers can ask questions then. The question and passages of pages that the reader may read are sent there, without a name; without it nothing is. HTTPS, or loopback',
  SEKISHO_ANSWERS_MODEL: 'name of the model, as the endpoint knows it; required with the address',
  SEKISHO_ANSWERS_KEY_FILE: 'file with the key of the endpoint; without it no key is sent',
  SEKISHO_ANSWERS_AUTH: 'header of the key: `bearer` (`Authorization: Bearer …`) or `api-key` (Azure)',
  SEKISHO_ANSWERS_PRIVATE_HOSTS: 'hosts of your own network that may be asked without HTTPS',
  SEKISHO_ANSWERS_TOKENS_A_DAY:
    'tokens of a day (UTC), sent and received together, after which no answer begins; shared by gates on one database; without one counted from the start',
  SEKISHO_ANSWERS_FIRST_TOKEN: 'how long the endpoint may take until its first word',
  SEKISHO_ANSWERS_TIMEOUT: 'how long a whole answer may take',
  SEKISHO_NOTICES_WEBHOOK:
    'address of a webhook that is told of publications and of pages that need their owners; HTTPS only',
  SEKISHO_NOTICES_WEBHOOK_FILE: 'the same in a file, since whoever knows the address may post there',
  SEKISHO_NOTICES_FORMAT: 'form of these messages: `json`, `slack` or `teams`',
  SEKISHO_NOTICES_KEY_FILE:
    'file with the key that signs them (`whsec_` and base64, as Standard Webhooks have it); required for `json`',
  SEKISHO_NOTICES_GROUPS:
    'groups of the policy that every reader of the channel is in; without any it is told of pages for everybody alone',
  SEKISHO_NOTICES_SMTP: 'mail server, as in `smtps://USER:PASSWORD@HOST:465` or `smtp://HOST:587` (STARTTLS)',
  SEKISHO_NOTICES_SMTP_FILE: 'the same in a file',
  SEKISHO_NOTICES_FROM: 'address that mail is sent from; required with the mail server',
  SEKISHO_NOTICES_OWNERS:
    'addresses of owners that pages name as a team, as in `payments=payments@example.co.jp`',
  SEKISHO_NOTICES_EVERY:
    '`weekly` (Mondays) or `daily`: how often owners and readers are told, from 8 o’clock',
  SEKISHO_NOTICES_PRIVATE_HOSTS:
    'hosts of your own network for the webhook or the mail server; these need no TLS and no public address',
  SEKISHO_AUDIT_KEEP: 'how long the audit trail is kept at least',
  SEKISHO_SEARCH_LOG_DAYS: 'how many days of searches are kept, without names; 0 keeps none',
  SEKISHO_FEEDBACK_DAYS: "how many days readers' feedback on pages is kept, without names; 0 keeps none",
  SEKISHO_READERSHIP:
    '`on` counts the readers of each page by week, without names and only from five on; `off` counts none and leaves what was counted',
  SEKISHO_WHATS_NEW:
    "whether readers see what changed since their last visit, `on` or `off`; for this an account's last visit is kept",
  SEKISHO_OPERATOR:
    "who runs a command, for the audit trail, where the system's user says too little (a pipeline)",
  SEKISHO_LOG_LEVEL: '`debug`, `info`, `warn` or `error`; with `--local` the default is `warn`',
  SEKISHO_METRICS_PORT: 'port for Prometheus metrics; none are served without it',
  SEKISHO_METRICS_HOST:
    'where that port listens; any but loopback needs one of the next two, and each that is set has to hold',
  SEKISHO_METRICS_NETWORKS: 'addresses or CIDR blocks that may ask for metrics',
  SEKISHO_METRICS_TOKEN_FILE:
    'file with the bearer token that whoever asks for metrics has to show, at least 32 characters',
}

import type { SETTING_TEXTS } from '../texts/index.ts'

/** Syntax of a setting; lists are separated by commas, and a duration is a number with `s`, `m`, `h` or `d`. */
export type SettingKind = 'text' | 'address' | 'port' | 'list' | 'file' | 'secret' | 'duration' | 'count'

/** Parts of the table, in the order in which it is read. */
export const SETTING_GROUPS = [
  'place',
  'readers',
  'identity',
  'agents',
  'keeping',
  'releases',
  'records',
  'pages',
  'answers',
  'notices',
] as const
type SettingGroup = (typeof SETTING_GROUPS)[number]

/** A setting apart from what it means, which stands in the texts. */
export interface SettingRow {
  readonly group: SettingGroup
  readonly kind: SettingKind
  /** Required in production. */
  readonly required?: true
  /** Default value. */
  readonly fallback?: string
  /** The least that makes sense, in the words of the kind. */
  readonly min?: string | number
  readonly max?: string | number
}

/** Every setting that the gate and its commands read: defaults and bounds are read from here, and so is the handbook's page. */
export const SETTINGS = {
  SEKISHO_ORIGIN: { group: 'place', kind: 'address', required: true },
  SEKISHO_HOST: { group: 'place', kind: 'address', fallback: '127.0.0.1' },
  SEKISHO_PORT: { group: 'place', kind: 'port', fallback: '3000' },
  SEKISHO_TRUSTED_PROXIES: { group: 'place', kind: 'list', required: true },
  SEKISHO_KEEP_ALIVE: { group: 'place', kind: 'duration', fallback: '65s', min: '10s', max: '1h' },
  SEKISHO_STOP_WITHIN: { group: 'place', kind: 'duration', fallback: '20s', min: '10s', max: '10m' },
  SEKISHO_ACCEPT_RISKS: { group: 'place', kind: 'list' },
  SEKISHO_NETWORKS: { group: 'place', kind: 'list' },
  SEKISHO_DATA_DIR: { group: 'keeping', kind: 'file', fallback: '.sekisho' },
  SEKISHO_SECRET: { group: 'keeping', kind: 'secret', required: true },
  SEKISHO_SECRET_FILE: { group: 'keeping', kind: 'file' },
  SEKISHO_SECRET_PREVIOUS_FILE: { group: 'keeping', kind: 'file' },
  SEKISHO_DATABASE_URL: { group: 'keeping', kind: 'secret' },
  SEKISHO_DATABASE_URL_FILE: { group: 'keeping', kind: 'file' },
  SEKISHO_DATABASE_LISTEN_URL: { group: 'keeping', kind: 'secret' },
  SEKISHO_DATABASE_LISTEN_URL_FILE: { group: 'keeping', kind: 'file' },
  SEKISHO_RELEASES: { group: 'releases', kind: 'address' },
  AWS_ACCESS_KEY_ID: { group: 'releases', kind: 'secret' },
  AWS_SECRET_ACCESS_KEY: { group: 'releases', kind: 'secret' },
  AWS_SESSION_TOKEN: { group: 'releases', kind: 'secret' },
  SEKISHO_RELEASES_KEEP: { group: 'releases', kind: 'duration', fallback: '30d', min: '1h' },
  SEKISHO_RELEASES_MAX: { group: 'releases', kind: 'count', fallback: '0', max: 10_000 },
  SEKISHO_PUBLISH_RULES_FILE: { group: 'releases', kind: 'file' },
  SEKISHO_PUBLISH_MAX_MB: { group: 'releases', kind: 'count', fallback: '2048', min: 1, max: 999_999 },
  SEKISHO_PUBLISH_MAX_FILES: {
    group: 'releases',
    kind: 'count',
    fallback: '1000000',
    min: 1_000,
    max: 9_999_999,
  },
  SEKISHO_PUBLISH_TOKEN: { group: 'releases', kind: 'secret' },
  SEKISHO_ID_TOKEN: { group: 'releases', kind: 'secret' },
  SEKISHO_ALLOWED_DOMAINS: { group: 'readers', kind: 'list' },
  SEKISHO_ALLOWED_EMAILS: { group: 'readers', kind: 'list' },
  SEKISHO_POLICY_FILE: { group: 'readers', kind: 'file' },
  SEKISHO_POLICY_KEEP: { group: 'readers', kind: 'duration', fallback: '10m', min: '0', max: '1d' },
  SEKISHO_SESSION_IDLE: { group: 'readers', kind: 'duration', fallback: '12h' },
  SEKISHO_SESSION_ABSOLUTE: { group: 'readers', kind: 'duration', fallback: '7d' },
  SEKISHO_REVALIDATION_INTERVAL: { group: 'readers', kind: 'duration', fallback: '5m' },
  SEKISHO_REVALIDATION_GRACE: { group: 'readers', kind: 'duration', fallback: '30m' },
  SEKISHO_CSP_ALLOW: { group: 'readers', kind: 'text' },
  SEKISHO_IDENTITY: { group: 'identity', kind: 'text', fallback: 'firebase' },
  SEKISHO_OIDC_ISSUER: { group: 'identity', kind: 'address' },
  SEKISHO_OIDC_CLIENT_ID: { group: 'identity', kind: 'text' },
  SEKISHO_OIDC_CLIENT_SECRET: { group: 'identity', kind: 'secret' },
  SEKISHO_OIDC_CLIENT_SECRET_FILE: { group: 'identity', kind: 'file' },
  SEKISHO_OIDC_PRIVATE_KEY_FILE: { group: 'identity', kind: 'file' },
  SEKISHO_OIDC_TOKEN_AUTH: { group: 'identity', kind: 'text' },
  SEKISHO_OIDC_NAME: { group: 'identity', kind: 'text' },
  SEKISHO_OIDC_LABEL: { group: 'identity', kind: 'text' },
  SEKISHO_OIDC_VENDOR: { group: 'identity', kind: 'text' },
  SEKISHO_OIDC_DOMAINS: { group: 'identity', kind: 'list' },
  SEKISHO_OIDC_SCOPES: { group: 'identity', kind: 'text' },
  SEKISHO_OIDC_GROUPS_CLAIM: { group: 'identity', kind: 'text', fallback: 'groups' },
  FIREBASE_API_KEY: { group: 'identity', kind: 'text' },
  FIREBASE_AUTH_DOMAIN: { group: 'identity', kind: 'text' },
  FIREBASE_PROJECT_ID: { group: 'identity', kind: 'text' },
  FIREBASE_STORAGE_BUCKET: { group: 'identity', kind: 'text' },
  SEKISHO_AGENTS: { group: 'agents', kind: 'text', fallback: 'on' },
  SEKISHO_AGENT_ALLOW: { group: 'agents', kind: 'list' },
  SEKISHO_AGENT_CLIENTS: { group: 'agents', kind: 'list' },
  SEKISHO_PERSONAL_TOKENS: { group: 'agents', kind: 'text', fallback: 'on' },
  SEKISHO_TITLE: { group: 'pages', kind: 'text', fallback: 'Sekisho' },
  SEKISHO_TAGLINE: { group: 'pages', kind: 'text', fallback: '技術ドキュメントポータル' },
  SEKISHO_LOGIN_LANG: { group: 'pages', kind: 'text', fallback: 'ja' },
  SEKISHO_TIME_ZONE: { group: 'pages', kind: 'text', fallback: 'Asia/Tokyo' },
  SEKISHO_EMBEDDINGS_URL: { group: 'pages', kind: 'address' },
  SEKISHO_EMBEDDINGS_KEY: { group: 'pages', kind: 'secret' },
  SEKISHO_EMBEDDINGS_KEY_FILE: { group: 'pages', kind: 'file' },
  SEKISHO_ANSWERS: { group: 'answers', kind: 'text', fallback: 'all' },
  SEKISHO_ANSWERS_URL: { group: 'answers', kind: 'address' },
  SEKISHO_ANSWERS_MODEL: { group: 'answers', kind: 'text' },
  SEKISHO_ANSWERS_KEY_FILE: { group: 'answers', kind: 'file' },
  SEKISHO_ANSWERS_AUTH: { group: 'answers', kind: 'text', fallback: 'bearer' },
  SEKISHO_ANSWERS_PRIVATE_HOSTS: { group: 'answers', kind: 'list' },
  SEKISHO_ANSWERS_TOKENS_A_DAY: {
    group: 'answers',
    kind: 'count',
    fallback: '1000000',
    min: 1_000,
    max: 100_000_000,
  },
  SEKISHO_ANSWERS_FIRST_TOKEN: { group: 'answers', kind: 'duration', fallback: '15s', min: '1s', max: '60s' },
  SEKISHO_ANSWERS_TIMEOUT: { group: 'answers', kind: 'duration', fallback: '60s', min: '5s', max: '5m' },
  SEKISHO_NOTICES_WEBHOOK: { group: 'notices', kind: 'secret' },
  SEKISHO_NOTICES_WEBHOOK_FILE: { group: 'notices', kind: 'file' },
  SEKISHO_NOTICES_FORMAT: { group: 'notices', kind: 'text', fallback: 'json' },
  SEKISHO_NOTICES_KEY_FILE: { group: 'notices', kind: 'file' },
  SEKISHO_NOTICES_GROUPS: { group: 'notices', kind: 'list' },
  SEKISHO_NOTICES_SMTP: { group: 'notices', kind: 'secret' },
  SEKISHO_NOTICES_SMTP_FILE: { group: 'notices', kind: 'file' },
  SEKISHO_NOTICES_FROM: { group: 'notices', kind: 'address' },
  SEKISHO_NOTICES_OWNERS: { group: 'notices', kind: 'list' },
  SEKISHO_NOTICES_EVERY: { group: 'notices', kind: 'text', fallback: 'weekly' },
  SEKISHO_NOTICES_PRIVATE_HOSTS: { group: 'notices', kind: 'list' },
  SEKISHO_AUDIT_KEEP: { group: 'records', kind: 'duration', fallback: '365d', min: '1d' },
  SEKISHO_SEARCH_LOG_DAYS: { group: 'records', kind: 'count', fallback: '30', max: 3_650 },
  SEKISHO_FEEDBACK_DAYS: { group: 'records', kind: 'count', fallback: '365', max: 3_650 },
  SEKISHO_READERSHIP: { group: 'records', kind: 'text', fallback: 'on' },
  SEKISHO_WHATS_NEW: { group: 'records', kind: 'text', fallback: 'on' },
  SEKISHO_OPERATOR: { group: 'records', kind: 'text' },
  SEKISHO_LOG_LEVEL: { group: 'records', kind: 'text', fallback: 'info' },
  SEKISHO_METRICS_PORT: { group: 'records', kind: 'port' },
  SEKISHO_METRICS_HOST: { group: 'records', kind: 'address', fallback: '127.0.0.1' },
  SEKISHO_METRICS_NETWORKS: { group: 'records', kind: 'list' },
  SEKISHO_METRICS_TOKEN_FILE: { group: 'records', kind: 'file' },
} as const satisfies Readonly<Record<keyof typeof SETTING_TEXTS.en, SettingRow>>

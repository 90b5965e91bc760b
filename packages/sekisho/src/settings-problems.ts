import type { CommandIo } from './command.ts'
import { languageOf } from './language.ts'

/** What the gate finds wrong with settings, and the same in Japanese; what is found in its place stands where `$1` does. */
const JAPANESE: readonly (readonly [RegExp, string])[] = [
  [/^(\S+) is not a setting$/, '$1 という設定はありません。名前のつづりを確認するか、消してください。'],
  [/^(\S+) must be a port number from 0 to 65535$/, '$1 には 0～65535 のポート番号を書いてください。'],
  [/^(\S+) must be a whole number from 0 to (\d+)$/, '$1 には 0～$2 の整数を書いてください。'],
  [/^(\S+) must be a duration such as (.+)$/, '$1 には、90s、5m、12h、7d のような時間を書いてください。'],
  [
    /^(FIREBASE_\S+) is missing or the text "undefined"(.*)$/,
    '$1 がないか、"undefined" という文字列になっています。Firebase のプロジェクトの設定にある値を書いてください。',
  ],
  [
    /^FIREBASE_AUTH_DOMAIN must be a host name without a scheme(.*)$/,
    'FIREBASE_AUTH_DOMAIN には、https:// を付けずにホスト名を書いてください。',
  ],
  [
    /^FIREBASE_PROJECT_ID is not a project id(.*)$/,
    'FIREBASE_PROJECT_ID がプロジェクト ID の形ではありません。',
  ],
  [
    /^FIREBASE_AUTH_DOMAIN should be (\S+): .*$/,
    'FIREBASE_AUTH_DOMAIN は $1 にしてください。ほかのホストでは、サードパーティーの保存領域を止めるブラウザーで、ページ遷移によるログインができません。',
  ],
  [
    /^FIREBASE_PROJECT_ID must start with demo- with --local$/,
    '--local では、FIREBASE_PROJECT_ID を demo- で始めてください。',
  ],
  [
    /^FIREBASE_PROJECT_ID must not start with demo- in production$/,
    '本番では、demo- で始まる FIREBASE_PROJECT_ID を使えません。',
  ],
  [/^--local refuses to run with NODE_ENV=production$/, 'NODE_ENV=production では --local を使えません。'],
  [
    /^SEKISHO_HOST must be a loopback address with --local$/,
    '--local では、SEKISHO_HOST をループバックアドレス（127.0.0.1 など）にしてください。',
  ],
  [
    /^SEKISHO_ORIGIN must be an https origin without a path.*$/,
    'SEKISHO_ORIGIN には、https://docs.example.com のように、パスのない https の URL を書いてください。',
  ],
  [
    /^SEKISHO_ORIGIN must be an http loopback origin with --local$/,
    '--local では、SEKISHO_ORIGIN をループバックの http の URL にしてください。',
  ],
  [
    /^SEKISHO_POLICY_FILE replaces .*$/,
    'SEKISHO_POLICY_FILE と、SEKISHO_ALLOWED_DOMAINS や SEKISHO_ALLOWED_EMAILS は、一緒に使えません。どちらかを消してください。',
  ],
  [/^SEKISHO_POLICY_FILE cannot be read: (.+)$/, 'SEKISHO_POLICY_FILE が示す $1 を読めません。'],
  [
    /^nobody is admitted: .*$/,
    '誰もログインできません。SEKISHO_ALLOWED_DOMAINS、SEKISHO_ALLOWED_EMAILS、SEKISHO_POLICY_FILE のどれかを設定してください。',
  ],
  [/^access policy: (.+)$/, 'アクセスポリシーを直してください: $1'],
  [
    /^SEKISHO_SESSION_IDLE must not be longer than SEKISHO_SESSION_ABSOLUTE$/,
    'SEKISHO_SESSION_IDLE は、SEKISHO_SESSION_ABSOLUTE 以下にしてください。',
  ],
  [
    /^SEKISHO_SECRET \(or .*must hold at least (\d+) characters.*$/,
    'SEKISHO_SECRET（または SEKISHO_SECRET_FILE のファイル）は $1 文字以上にしてください。openssl rand -base64 33 で作れます。',
  ],
  [/^(\S+_FILE) cannot be read$/, '$1 が示すファイルを読めません。場所と権限を確認してください。'],
  [
    /^SEKISHO_DATABASE_URL_FILE replaces SEKISHO_DATABASE_URL$/,
    'SEKISHO_DATABASE_URL と SEKISHO_DATABASE_URL_FILE は、一緒に使えません。どちらかを消してください。',
  ],
  [
    /^SEKISHO_DATABASE_URL must be (?:a URL such as )(.+)$/,
    'SEKISHO_DATABASE_URL には、$1 のような URL を書いてください。',
  ],
  [
    /^SEKISHO_DATABASE_URL must say sslmode=verify-full.*$/,
    'SEKISHO_DATABASE_URL に sslmode=verify-full を付けてください。ほかの誰も接続を聞けないときだけ、sslmode=disable にできます。',
  ],
  [
    /^SEKISHO_TIME_ZONE must be a time zone such as (.+)$/,
    'SEKISHO_TIME_ZONE には $1 のようなタイムゾーンの名前を書いてください。',
  ],
  [/^SEKISHO_LOGIN_LANG must be ja or en$/, 'SEKISHO_LOGIN_LANG には ja か en を書いてください。'],
  [
    /^SEKISHO_LOG_LEVEL must be (.+)$/,
    'SEKISHO_LOG_LEVEL には debug、info、warn、error のどれかを書いてください。',
  ],
  [
    /^SEKISHO_RELEASES must be .*$/,
    'SEKISHO_RELEASES には、s3://BUCKET/PREFIX?endpoint=https://…&region=… の形か、フォルダーの絶対パスを書いてください。',
  ],
  [
    /^SEKISHO_RELEASES: the endpoint must be .*$/,
    'SEKISHO_RELEASES の endpoint は https の URL にしてください。読者が読めるものがすべて通るためです。',
  ],
  [
    /^SEKISHO_RELEASES names a bucket: .*$/,
    'SEKISHO_RELEASES がバケットを示しています。AWS_ACCESS_KEY_ID と AWS_SECRET_ACCESS_KEY（または読めるファイルを示す …_FILE）を設定してください。',
  ],
  [
    /^SEKISHO_ACCEPT_RISKS: (".*") is none of (.+)$/,
    'SEKISHO_ACCEPT_RISKS の $1 は使えません。使えるのは $2 です。',
  ],
  [
    /^the gate does not start like this; .*SEKISHO_ACCEPT_RISKS=(\S+)$/,
    'このままではゲートは起動しません。承知のうえなら SEKISHO_ACCEPT_RISKS=$1 を設定してください。',
  ],
  [
    /^SEKISHO_TRUSTED_PROXIES must name the proxy that speaks https for (\S+):.*$/,
    'SEKISHO_TRUSTED_PROXIES に、$1 の https を受けるプロキシのアドレスを書いてください。ないと、全員が同じアドレスに見え、1 人の大量のアクセスで全員が締め出されます。',
  ],
  [
    /^SEKISHO_TRUSTED_PROXIES must not hold (\S+): .*$/,
    'SEKISHO_TRUSTED_PROXIES に $1 は書けません。その中の誰もがアドレスを偽れます。プロキシのアドレスだけを書いてください。',
  ],
  [
    /^NODE_TLS_REJECT_UNAUTHORIZED=0 lets .*$/,
    'NODE_TLS_REJECT_UNAUTHORIZED=0 では、ネットワークの誰もが認証サービスになりすませます。消してください。独自の認証局は NODE_EXTRA_CA_CERTS で指定できます。',
  ],
  [
    /^(\S+) is a public mail service, .*$/,
    '$1 は誰でも使えるメールサービスなので、誰でもログインできてしまいます。アドレスを 1 つずつ（SEKISHO_ALLOWED_EMAILS、またはポリシーファイルの "emails" に）書いてください。',
  ],
  [
    /^(\S+) must not be longer than (\d\S*): .*$/,
    '$1 は $2 以下にしてください。長いと、失効させた人が読み続けられる時間も延びます。',
  ],
  [/^(SEKISHO_TRUSTED_PROXIES|SEKISHO_NETWORKS): (.+)$/, '$1 の書き方が違います（$2）。'],
  [
    /^there is no release yet: run sekisho build$/,
    'リリースがまだありません。sekisho build を実行してください。',
  ],
]

/** A problem of the settings in the language of the terminal; what has no Japanese yet stays as it is. */
export function explainProblem(problem: string, { env }: Pick<CommandIo, 'env'>): string {
  if (languageOf(env) !== 'ja') return problem
  for (const [pattern, text] of JAPANESE) {
    const match = pattern.exec(problem)
    if (match !== null) return text.replace(/\$(\d)/g, (_, at) => match[at] ?? '')
  }
  return problem
}

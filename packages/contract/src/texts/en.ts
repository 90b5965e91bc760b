/** Errors of a JSON value; each follows the place it was found at. */
export const shape = {
  at: (place: string, problem: string) => `${place}: ${problem}`,
  unknown_key: (key: string) => `unknown key ${key}`,
  no_object: 'must be an object',
  no_text: 'must be a string',
  must_be: (what: string) => `must be ${what}`,
  not_one_of: (known: readonly string[]) => `must be one of ${known.join(', ')}`,
  no_count: 'must be a whole number, 0 or more',
  no_array: 'must be an array',
  no_json: 'is not JSON',
  no_json_at: (line: number, column: number) => `is not JSON from line ${line}, column ${column}`,
  key_duplicate: (line: number, column: number) => `has the key at line ${line}, column ${column} twice`,
  no_utf8: 'is not UTF-8 text: save it as UTF-8',
  filled: 'a non-empty text',
}

/** Forms that the fields of page metadata must have; each stands behind "must be". */
export const pageMetadata = {
  language: 'a language tag',
  line: 'one line of text, neither empty nor too long',
  day: 'a day such as 2026-04-01',
  review: 'a number of days such as 180d, or a day such as 2026-04-01',
  commit: 'the id of a commit',
  path: 'a path of this site such as /docs/guide',
  group: 'the name of a group, or all',
  too_many: (most: number) => `lists more than ${most} patterns`,
}

/** Errors of a setting. */
export const settings = {
  not_one_of: (name: string, known: readonly string[]) => `${name} must be one of ${known.join(', ')}`,
  replaces: (name: string, replaced: readonly string[]) =>
    `${name} replaces ${replaced.join(' and ')}: set one of them`,
}

/** Errors of grants to pages. */
export const grants = {
  unknown_kind: (kind: string, known: readonly string[]) => `${kind} must be one of ${known.join(', ')}`,
  no_source: (kind: string) => `${kind} names no source`,
  bad_source: (kind: string, source: string, words: readonly string[]) =>
    `${kind} ${source} must be an https origin without a path, as in https://images.example.com${words.map((word) => ` or ${word}`).join('')}`,
}

/** Endings of a shortened list. */
export const lists = {
  more: (count: number) => `… and ${count} more`,
}

/** Errors of a page's HTML. */
export const html = {
  nested_too_deep: (file: string, most: number) =>
    `${file} nests its elements more than ${most} deep, which no browser shows: close what it leaves open, or leave the file out`,
}

/** Risk of each grant. */
export const grantRisks = {
  img: 'that host learns the address of each reader and when they read',
  media: 'that host learns the address of each reader and when they read',
  font: 'that host learns the address of each reader and when they read',
  style: 'the operator of that host controls the appearance of pages, and what they hide',
  script:
    'the operator of that host runs code with the rights of each reader, and can read everything they may read',
  connect: 'code of a page may send that host whatever is on the page',
  frame: 'that host learns the address of each reader, and shows within a page what it likes',
  worker: 'code of a page may run further code that no hash names',
  form: 'what readers type into a form of a page may be sent to that host',
  eval: 'text that gets into the code of a page, from its address for example, may run with the rights of each reader',
}

/** Texts of the login page's document before its script runs. */
export const loginDocument = {
  title: 'Log in',
  noscript: 'To log in, please enable JavaScript in your browser.',
  button: (label: string) => `Log in with ${label}`,
}

/** Texts of a preview host's page before sign-in. */
export const previewEntry = {
  title: 'Preview',
  going: 'Asking the portal who you are.',
  failed: 'The preview could not be opened. Please try again.',
  refused: 'This account may not read this preview.',
  again: 'Try again',
  noscript: 'To open the preview, please enable JavaScript in your browser.',
}

/** Causes of TLS connections that were not made; the server was reached. */
export const tls = {
  self_signed: (code: string) =>
    `its TLS certificate is signed by itself (${code}): give it one of an authority, or name its file in NODE_EXTRA_CA_CERTS (PostgreSQL: sslrootcert)`,
  unknown_authority: (code: string) =>
    `this machine trusts no authority that signed its TLS certificate (${code}): let the server send its intermediate certificates too; for an authority of your own, name its file in NODE_EXTRA_CA_CERTS (PostgreSQL: sslrootcert)`,
  expired: (code: string) =>
    `its TLS certificate has expired (${code}): renew it, or check this machine's clock`,
  not_yet_valid: (code: string) =>
    `its TLS certificate is not valid yet (${code}): check this machine's clock`,
  other_name: (code: string) =>
    `its TLS certificate is for another host name (${code}): use a name that the certificate holds`,
  no_tls: (code: string) => `it does not speak TLS on this port (${code}): check port and scheme`,
  failed: (code: string) => `the TLS connection could not be made (${code})`,
}

export const serve = {
  serve_help: (dataDir: string) => `Usage: sekisho serve [--local] [--data-dir DIR]

Serves the current release to signed-in readers. Settings come from the environment: see sekisho check --help.

  --local         run on this machine only, with the built-in sign-in: no identity provider, no network
${dataDir}
  --help          show this text`,
  account_of_domains: (domains: readonly string[]) => `an account ending in @${domains.join(' or @')}`,
  account_of_policy: 'an account your policy admits',
  serving: 'Serving',
  release: (id: string) => `release ${id}`,
  nothing_built: 'nothing yet: run sekisho build',
  sign_in: 'Sign-in',
  switched_off_because: 'is disabled, because the identity settings are invalid',
  local_sign_in_hint: (buttons: string, who: string) => `press "${buttons}" and choose ${who}`,
  metrics: 'Metrics',
  stop: 'Stop',
  sekisho_ready: (origin: string) => `  Sekisho is ready: ${origin}`,
  serve_row: (name: string, value: string) => `  ${name.padEnd(17)} ${value}`,
  port_taken: (port: string) =>
    `port ${port} is in use; stop the program that uses it, or set PORT to another one`,
  metrics_port_taken: (port: string) =>
    `the metrics port ${port} is in use; stop the program that uses it, or set SEKISHO_METRICS_PORT to another one`,
  not_permitted: (reason: string) => `not permitted: ${reason}`,
  no_such_address: 'SEKISHO_HOST is not an address of this machine',
  no_packages: (reason: string) => `--local needs the development packages: ${reason}`,
  no_session_store: (reason: string) => `the session store cannot be used: ${reason}`,
  settings_not_right: 'the settings are invalid:',
  start_help: (dataDir: string) => `Usage: sekisho start [--site DIR] [--data-dir DIR]

Builds the site, packs a release and serves it on this machine with a sign-in of its own: no identity provider, no network.
PORT names another port than 3000.

  --site DIR      the Docusaurus site (default: the one this folder belongs to, or the only one below it)
${dataDir}
  --help          show this text`,
  building: (dir: string) => `Building ${dir}`,
  starting_gate_local: 'Starting the gate and its built-in sign-in',
  port_unusable: (port: number) =>
    `port ${port} cannot be used: stop the program that uses it, or set PORT to another one`,
}

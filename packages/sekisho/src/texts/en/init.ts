/** Notes on a site's plugins and themes, by the codes of `init/compatibility.ts`. */
export const initNotes = {
  search: 'replaced by the search of Sekisho, whose index never leaves the server',
  tracker: 'sends what is read here, and by whom, to another company',
  beacon: 'its script is loaded from another host and runs with the rights of the reader',
  no_index:
    'Applies to public search engines only: the portal’s search finds every page; `search: false` in a page’s front matter excludes it',
  search_option: 'Not taken over: write `search: false` into the front matter of these pages',
  service_worker: 'a service worker keeps pages in the browser and outlives sign-out',
  agents_need_sign_in: 'its files are served to signed-in readers only; agents sign in as their reader',
  sitemap: 'sitemap.xml is served to signed-in readers only, so no search engine sees it',
  tries_requests: 'the console connects to the hosts of your API',
  redoc: 'ReDoc runs a worker from a blob, and shows an image from its vendor',
  live_code: 'live examples evaluate code',
  scalar:
    'its script is loaded from another host, unless `cdn` names a copy in static/; the console connects to the hosts of your API',
  drawio: 'its viewer is loaded from another host, unless `lib` names a copy in static/',
  loaded_from_github: 'code is fetched from GitHub by the browser',
  loaded_from_other_host: 'loaded from another host: copy the file into static/, or it is blocked',
  not_tried: 'not tested yet: check its pages after the first start',
}

/** The variables that a settings file sets at once; values are quoted. */
type Facts = { readonly title: string; readonly tagline: string; readonly lang: string }

export const init = {
  help: `Usage: sekisho init [--site DIR] [--tools NAMES] [--workflow] [--docker] [--yes]
       sekisho init --undo [--all] [--site DIR] [--yes]

Adds Sekisho to a Docusaurus site: shows the changes, and makes them. A second run changes nothing.

  --site DIR   the Docusaurus site (default: the one this folder belongs to, or the only one below it)
  --tools      what pages get besides, separated by commas: feedback (was it helpful), markdown (copy it, print),
               zoom (pictures grow); none unless named
  --workflow   also a workflow for GitHub Actions
  --docker     also a Dockerfile
  --yes        do not ask
  --undo       revert what init did; files changed since are kept
  --all        with --undo: also releases, sessions, audit trail and secrets
  --help       show this text`,
  unknown_tools: (known: readonly string[], unknown: readonly string[]) =>
    `--tools knows ${known.join(', ')}, and not ${unknown.join(', ')}`,
  works: 'Works as it is',
  replaced: 'Replaced',
  grant: 'Needs an entry in the content security policy',
  refused: 'Refused: remove it from the config, or its script is blocked',
  not_known: 'Not known',
  proposal:
    'To allow everything that pages request from other hosts, put this line into sekisho.env; each entry and its cost:',
  changes: 'Changes',
  one_line: (theme: string) => `one line: '${theme}' among the themes`,
  leaves_out: (folders: readonly string[]) => `leaves out ${folders.join(' and ')}`,
  settings: 'settings of the gate, with comments',
  workflow: 'builds, proves and publishes a release on every push',
  image: 'an image that serves the site',
  theme_line_removed: 'the line is removed',
  unchanged_line: 'as it was',
  will_be_deleted: 'is deleted',
  removed: (what: string) => `is removed: ${what}`,
  ask_feedback: 'Ask readers at the foot of each page whether it was helpful?',
  ask_markdown: 'Offer each page as Markdown, to copy and to print?',
  ask_zoom: 'Enlarge pictures at a click?',
  ask_all: 'Make these changes?',
  unasked: 'nothing was changed; run it again with --yes',
  nothing_to_change: 'Nothing to change: Sekisho is installed already.',
  done: 'Done. Next: npx --no-install sekisho start',
  changed_since: (file: string) => `${file} has been changed since and is kept`,
  stays: (folder: string, what: string) => `${folder} is kept (${what}); --all deletes it as well`,
  kept_data: 'releases, sessions, audit trail and secrets',
  kept_for_builds: 'kept for the next build',
  nothing_to_undo: 'Nothing to revert.',
  undone: (remove: string) => `Done. To remove the package as well: ${remove} sekisho`,
  no_such_site: (dir: string) => `${dir} is not a Docusaurus site: it has no docusaurus.config file`,
  no_site:
    'there is no Docusaurus site here; go to the folder of its docusaurus.config file, or name it with --site DIR',
  several_sites: (names: readonly string[]) =>
    `there are several sites here; name one with --site: ${names.join(', ')}`,
  no_place: (file: string, theme: string) =>
    `${file} builds its list of themes in a way that cannot be edited automatically: add '${theme}' to themes by hand and run this again`,
  without_effect: (theme: string) =>
    `the config does not use the themes of the object that was changed, so the line is out again: add '${theme}' to themes by hand`,
  config_unread: (file: string, end: string) =>
    `the process that read ${file} ended (${end}) without a result`,
  no_config: (file: string) => `${file} exports no config that Docusaurus accepts`,
  settings_file: ({
    title,
    tagline,
    lang,
  }: Facts) => `# Settings of the Sekisho gate. \`npx --no-install sekisho start\` needs none of them; \`npx --no-install sekisho serve\` needs those marked (*), and
# \`npx --no-install sekisho check\` says what is still missing. A variable of the environment goes before its line here.

# What the login page says.
SEKISHO_TITLE=${title}
SEKISHO_TAGLINE=${tagline}
SEKISHO_LOGIN_LANG=${lang}

# (*) The one https address readers use.
# SEKISHO_ORIGIN=https://docs.example.co.jp

# (*) Who signs people in: an OpenID provider (Entra ID for Microsoft 365, Google, Okta, Keycloak, HENNGE One, any other). Its redirect
# URI is https://docs.example.co.jp/__gate/sign-in/NAME/callback, with entra, google, okta, keycloak or else oidc as NAME.
# SEKISHO_IDENTITY=oidc
# SEKISHO_OIDC_ISSUER=https://login.microsoftonline.com/TENANT-ID/v2.0
# SEKISHO_OIDC_CLIENT_ID=
# SEKISHO_OIDC_CLIENT_SECRET_FILE=/etc/sekisho/oidc-secret
# Or, in place of these four, a Firebase web app; the auth domain is the host readers use.
# FIREBASE_API_KEY=
# FIREBASE_PROJECT_ID=
# FIREBASE_AUTH_DOMAIN=docs.example.co.jp

# (*) Who may read: mail domains, single addresses, or both, separated by commas. SEKISHO_POLICY_FILE in their place knows groups, too.
# SEKISHO_ALLOWED_DOMAINS=example.co.jp
# SEKISHO_ALLOWED_EMAILS=guest@partner.example.com

# (*) A file outside the repository with a secret, made with: openssl rand -base64 33
# SEKISHO_SECRET_FILE=/etc/sekisho/secret

# (*) The proxy that speaks https: its X-Forwarded-For is believed.
# SEKISHO_TRUSTED_PROXIES=127.0.0.1

# What pages may use from other hosts; sekisho build names what they ask for, and sekisho check says what each grant costs.
# SEKISHO_CSP_ALLOW="img https://avatars.githubusercontent.com; frame https://www.youtube.com"
`,
}

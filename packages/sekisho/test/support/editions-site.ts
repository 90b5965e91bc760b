import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeFiles } from '@sekisho/release/testing'

/** Inside the repository, so that the site finds Docusaurus; ignored by Git. */
const SITE = fileURLToPath(new URL('../../.cache/test-sites/editions', import.meta.url))

/** Editions that overlap: staff read partners' pages, auditors some of their own, and neither all of the other's. */
export const EDITIONS = {
  editions: [
    { name: 'staff', audiences: ['staff', 'partner'] },
    { name: 'audit', audiences: ['audit'] },
    { name: 'everyone', audiences: [] },
  ],
  paths: {
    'src/pages/audit.js': 'audit',
    'ops/**': 'staff',
    'blog/2026-02-02-audit.md': 'audit',
    'docs/_*.mdx': 'staff',
    'openapi/**': 'staff',
  },
  labels: { staff: 'staffbadge', audit: 'auditbadge' },
}

/** A word that stands in one place of the site and nowhere else, by the audience of the page. */
export const CANARIES = {
  staff: [
    'stafftitle',
    'staffbody',
    'staffpath',
    'staffheading',
    'staffalt',
    'stafftag',
    'staffpicture',
    'staffattachment',
    'staffpartial',
    'staffauthor',
    'staffcategory',
    'staffpost',
    'staffversion',
    'stafftranslation',
    'staffplugin',
    'staffmenu',
    'staffredirect',
    'staffcomponent',
    'stafflabel',
    'staffapi',
    'staffsidelink',
    'staffoldlink',
    'staffbadge',
  ],
  partner: ['partnertitle', 'partnerbody', 'partnerpath', 'partnertag'],
  audit: ['auditpage', 'auditpost', 'auditauthor', 'auditbody', 'auditbadge'],
} as const

const CONFIG = `export default {
  title: 'Wombat Handbook',
  url: 'https://wombats.example.com',
  baseUrl: '/',
  onBrokenLinks: 'throw',
  i18n: { defaultLocale: 'ja', locales: ['ja', 'en'] },
  future: { v4: true, faster: true },
  presets: [['classic', {
    docs: { sidebarPath: './sidebars.js', lastVersion: 'current', showLastUpdateTime: true, tags: 'tags.yml' },
    blog: { onUntruncatedBlogPosts: 'ignore', feedOptions: { type: 'all' } },
  }]],
  plugins: [
    ['@docusaurus/plugin-content-docs', { id: 'ops', path: 'ops', routeBasePath: 'staffplugin' }],
    ['sekisho/docusaurus/openapi', { file: 'openapi/shifts.yaml' }],
  ],
  themes: [['sekisho/docusaurus', { redirects: [{ from: '/staffredirect', to: '/docs/deep/staffpath' }, { from: '/old', to: '/docs/intro' }] }]],
  themeConfig: {
    navbar: { title: 'Wombats', items: [
      { to: '/docs/intro', label: 'Docs' },
      { label: 'More', items: [{ to: '/docs/deep/staffpath', label: 'staffmenu' }] },
      { type: 'doc', docsPluginId: 'ops', docId: 'duty', label: 'staffmenu' },
      { to: '/audit', label: 'auditpage' },
      { to: '/api', label: 'staffmenu' },
      { type: 'docSidebar', docsPluginId: 'openapi', sidebarId: 'defaultSidebar', label: 'staffmenu' },
    ] },
    footer: { links: [{ title: 'More', items: [{ to: '/docs/deep/staffpath', label: 'staffmenu' }] }] },
  },
}
`

const SIDEBARS = `export default { handbook: [
  'intro',
  { type: 'doc', id: 'deep/staffpath', label: 'stafflabel' },
  { type: 'category', label: 'staffcategory', items: ['deep/staffpath'] },
  { type: 'link', label: 'staffsidelink', href: '/staffplugin/duty' },
  { type: 'category', label: 'Partners', link: { type: 'doc', id: 'deep/partner' }, items: ['burrows'] },
] }
`

const page = (frontMatter: string, body: string) => `---\n${frontMatter}\n---\n\n${body}\n`
const STAFF = page(
  'audience: staff\ntags: [stafftag]',
  '# stafftitle\n\nstaffbody\n\n## staffheading\n\n![staffalt](./staffpicture.png)\n\n[attachment](/files/staffattachment.pdf)\n\nimport Part from "../_part.mdx"\n\n<Part />\n\nimport Component from "@site/src/components/Staff"\n\n<Component />',
)

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'package.json': '{ "name": "editions-site", "private": true }',
  'docusaurus.config.mjs': CONFIG,
  'sekisho.editions.json': JSON.stringify(EDITIONS),
  'sidebars.js': SIDEBARS,
  'docs/intro.md': page(
    'tags: [common]',
    '# Introduction\n\nEverybody reads about wombats. [burrows](./burrows.md)',
  ),
  'docs/burrows.md': '# Burrows\n\nA burrow of thirty metres. ![plan](/img/plan.png)\n',
  'docs/tags.yml':
    'common:\n  label: Common\nstafftag:\n  label: stafftag\npartnertag:\n  label: partnertag\n',
  'docs/_part.mdx': 'staffpartial\n',
  'docs/deep/staffpath.mdx': STAFF,
  'docs/deep/staffpicture.png': Uint8Array.from({ length: 600 }, (_, at) => (at * 31) % 251),
  'docs/deep/partner.md': page(
    'audience: partner\nslug: /partnerpath\ntags: [partnertag]',
    '# partnertitle\n\npartnerbody',
  ),
  'i18n/en/docusaurus-plugin-content-docs/current/deep/staffpath.mdx': '# stafftranslation\n\nTranslated.\n',
  'versions.json': '["1.0"]',
  'versioned_docs/version-1.0/tags.yml': 'common:\n  label: Common\n',
  'versioned_docs/version-1.0/intro.md': '# Introduction of 1.0\n',
  'versioned_docs/version-1.0/old.md': '--- \naudience: staff\n---\n\n# staffversion\n',
  'versioned_sidebars/version-1.0-sidebars.json':
    '{ "handbook": ["intro", "old", { "type": "link", "label": "staffoldlink", "href": "/docs/deep/staffpath" }] }',
  'openapi/shifts.yaml':
    'openapi: 3.1.0\ninfo: { title: Shifts, version: "1", description: staffapi }\npaths:\n  /shifts:\n    get:\n      operationId: shifts\n      summary: staffapi\n      responses: { "200": { description: All shifts } }\n',
  'ops/duty.md': '# On duty\n\nstaffplugin\n',
  'blog/authors.yml':
    'everybody:\n  name: Everybody\n  page: true\nstaffauthor:\n  name: staffauthor\n  page: true\nauditauthor:\n  name: auditauthor\n  page: true\n',
  'blog/2026-01-01-first.md': page('authors: [everybody]', '# First post\n\nWe have a new wombat.'),
  'blog/2026-02-01-staff.md': page('audience: staff\nauthors: [staffauthor]', '# staffpost\n\nA post.'),
  'blog/2026-02-02-audit.md': page('authors: [auditauthor]', '# auditpost\n\nauditbody'),
  'src/components/Staff.js': 'export default () => <p>staffcomponent</p>\n',
  'src/pages/index.js':
    "import Layout from '@theme/Layout'\nexport default () => <Layout><h1>Home</h1></Layout>\n",
  'src/pages/audit.js':
    "import Layout from '@theme/Layout'\nexport default () => <Layout><h1>auditpage</h1></Layout>\n",
  'static/files/staffattachment.pdf': '%PDF-1.7 attachment',
  'static/img/plan.png': Uint8Array.from({ length: 700 }, (_, at) => (at * 37) % 253),
}

/** Writes the site anew and returns its folder. */
export function writeEditionsSite(): string {
  rmSync(SITE, { recursive: true, force: true })
  writeFiles(SITE, FILES)
  return SITE
}

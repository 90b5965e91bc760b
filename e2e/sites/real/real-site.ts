/** A third party's site, in a folder of checkouts beside the repository. */
export interface RealSite {
  /** Its folder among the checkouts. */
  readonly name: string
  /** Kind of site, for the table. */
  readonly kind: string
  /** The folder of `docusaurus.config.*`, or that of the HTML, below the checkout. */
  readonly dir: string
  readonly baseUrl?: string
  /** Installs the package with the site's own package manager, in the checkout; `TARBALL` stands for its file. For Docusaurus alone. */
  readonly install?: string
  /** Step of the site's own build before `docusaurus build`, in `dir`. */
  readonly before?: string
  /** Grants for requests of running scripts, which no page names but an owner sees in the console. */
  readonly grants?: string
  /** Variables that the site's build wants. */
  readonly env?: Readonly<Record<string, string>>
}

/** Sites whose origins and commits are in bench/sites/real-sites.md. Their packages are installed and their folders are built by hand. */
export const REAL_SITES: readonly RealSite[] = [
  {
    name: 'redux-toolkit',
    kind: 'Docusaurus 3.9, Yarn 4 workspace, Pagefind',
    dir: 'website',
    install: 'node .yarn/releases/yarn-4.4.1.cjs workspace website add -D sekisho@file:TARBALL',
  },
  { name: 'requests', kind: 'Sphinx 5.3', dir: 'docs/_build/html' },
  { name: 'httpx', kind: 'MkDocs 1.4, Material', dir: 'site', grants: 'connect https://api.github.com' },
  {
    name: 'kysely',
    kind: 'Docusaurus 3, pnpm',
    dir: 'site',
    install: 'pnpm --dir site add -D --ignore-scripts TARBALL',
    grants:
      'connect https://api.github.com https://api.npmjs.org https://kysely-org.github.io; frame https://play.kysely.dev',
  },
  {
    name: 'modular-avatar',
    kind: 'Docusaurus 3.10 without faster, Yarn 4, English and Japanese',
    dir: 'docs~',
    install: "yarn --cwd 'docs~' add -D sekisho@file:TARBALL",
  },
  {
    name: 'vrc-quest-tools',
    kind: 'Docusaurus 3.10 without faster, pnpm 10, English and Japanese',
    dir: 'Website',
    install: 'pnpm --dir Website add -D --ignore-scripts TARBALL',
  },
  {
    name: 'typeorm',
    kind: 'Docusaurus 3.10 without faster, pnpm 10, lunr',
    dir: 'docs',
    install: 'pnpm --dir docs add -D --ignore-scripts TARBALL',
  },
  {
    name: 'react-redux',
    kind: 'Docusaurus 3.6 without faster, Yarn 4, Pagefind',
    dir: 'website',
    install: 'yarn --cwd website add -D sekisho@file:TARBALL',
    grants: 'script https://buttons.github.io; connect https://api.github.com',
  },
  {
    name: 'actual-budget',
    kind: 'Docusaurus 3.9, Yarn 4, blog',
    dir: '.',
    install: 'yarn add -D sekisho@file:TARBALL',
  },
  {
    name: 'casbin-website-v2',
    kind: 'Docusaurus 3.9 without faster, Yarn 1, Algolia, two locales of 17',
    dir: '.',
    install: 'yarn add -D --ignore-scripts --ignore-engines file:TARBALL',
  },
  {
    name: 'redocusaurus',
    kind: 'Docusaurus 3.10, OpenAPI by Redoc, React 18, npm',
    dir: 'website',
    install: 'npm install --prefix website --no-workspaces --legacy-peer-deps -D --ignore-scripts TARBALL',
  },
  {
    name: 'openapi',
    kind: 'Docusaurus 3.9, openapi-docs 4.7, npm',
    dir: '.',
    install: 'npm install --no-audit --legacy-peer-deps -D --ignore-scripts TARBALL',
  },
  {
    name: 'ashell',
    kind: 'Docusaurus 3.10, versioned documents, npm',
    dir: '.',
    install: 'npm install --no-audit --legacy-peer-deps -D --ignore-scripts TARBALL',
  },
  {
    name: 'pwa',
    kind: 'Docusaurus 3.2 with plugin-pwa, React 18, npm',
    dir: '.',
    install: 'npm install --no-audit --legacy-peer-deps -D --ignore-scripts TARBALL',
  },
  { name: 'flask', kind: 'Sphinx 5.3', dir: '.' },
  { name: 'django', kind: 'Sphinx 5.3, 692 pages', dir: '.' },
  { name: 'mkdocs', kind: 'MkDocs 1.4', dir: '.' },
  { name: 'rust-book', kind: 'mdBook', dir: '.' },
  { name: 'cargo-api', kind: 'rustdoc', dir: '.' },
  { name: 'doxygen', kind: 'Doxygen', dir: '.', grants: 'script eval' },
  { name: 'gsk4', kind: 'gi-docgen', dir: '.' },
  { name: 'commons-lang3', kind: 'Javadoc 17, 730 pages', dir: '.' },
  { name: 'developers-reference-ja', kind: 'Sphinx 5.3, Japanese', dir: '.' },
  { name: 'debian-reference-ja', kind: 'DocBook, Japanese', dir: '.' },
  { name: 'gimp-help-ja', kind: 'DocBook, Japanese, 685 pages', dir: 'ja' },
  { name: 'git-docs', kind: 'AsciiDoc', dir: '.' },
  { name: 'postgresql', kind: 'DocBook, 1,169 pages', dir: '.' },
  { name: 'sqlite', kind: 'made by hand, 766 pages', dir: '.' },
  { name: 'nodejs', kind: "Node's own generator, 65 long pages", dir: '.' },
  { name: 'rust-reference', kind: 'mdBook', dir: '.' },
  { name: 'containers', kind: 'Haddock', dir: '.' },
  { name: 'jose', kind: 'TypeDoc 0.28', dir: 'typedoc' },
  { name: 'commons-cli', kind: 'Javadoc 17', dir: 'site-javadoc' },
  {
    name: 'redux',
    kind: 'Docusaurus 3.6, Algolia',
    dir: 'website',
    install: 'yarn --cwd website add -D sekisho@file:TARBALL',
  },
  { name: 'hono', kind: 'VitePress 1.6', dir: '.vitepress/dist' },
  { name: 'hugo-book', kind: 'Hugo 0.111', dir: 'exampleSite/public' },
  { name: 'vitepress-docs', kind: 'VitePress, clean addresses', dir: '.vitepress/dist' },
  { name: 'starlight-ec', kind: 'Starlight (Astro 6), Pagefind', dir: 'docs/dist' },
  { name: 'starlight-basics', kind: 'Starlight (Astro), Pagefind', dir: 'dist' },
  { name: 'design-system', kind: 'Storybook 7', dir: 'storybook-static' },
]

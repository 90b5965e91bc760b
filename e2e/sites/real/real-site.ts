/** A site of somebody else's, as it lies in a folder of checkouts beside the repository. */
export interface RealSite {
  /** Its folder among the checkouts. */
  readonly name: string
  /** What it is, for the table. */
  readonly kind: string
  /** The folder of `docusaurus.config.*`, or that of the HTML, below the checkout. */
  readonly dir: string
  readonly baseUrl?: string
  /** Installs the package with the site's own package manager, in the checkout; `TARBALL` stands for its file. For Docusaurus alone. */
  readonly install?: string
  /** What the site's own build does before `docusaurus build`, in `dir`. */
  readonly before?: string
  /** Variables that the site's build wants. */
  readonly env?: Readonly<Record<string, string>>
}

/** Where each came from, and at which commit, stands in decisions/151. Their packages are installed and their folders are built by hand. */
export const REAL_SITES: readonly RealSite[] = [
  {
    name: 'docusaurus-template-openapi-docs',
    kind: 'Docusaurus 3.9, npm, OpenAPI',
    dir: '.',
    install: 'npm install --no-save --ignore-scripts --no-audit --no-fund TARBALL',
    before: 'npx docusaurus gen-api-docs all',
  },
  {
    name: 'redux-toolkit',
    kind: 'Docusaurus 3.9, Yarn 4 workspace, Pagefind',
    dir: 'website',
    install: 'node .yarn/releases/yarn-4.4.1.cjs workspace website add -D sekisho@file:TARBALL',
  },
  {
    name: 'cypress-documentation',
    kind: 'Docusaurus 3.10, npm, Algolia',
    dir: '.',
    install: 'npm install --no-save --ignore-scripts --no-audit --no-fund TARBALL',
  },
  {
    name: 'pnpm.io',
    kind: 'Docusaurus 3.10, pnpm, versions, two docs plugins, redirects, Sass',
    dir: '.',
    install: 'pnpm add -D --ignore-scripts TARBALL',
    before: 'pnpm copy-docs',
    env: { LOCALE_CI: 'en' },
  },
  { name: 'requests', kind: 'Sphinx 5.3', dir: 'docs/_build/html' },
  { name: 'httpx', kind: 'MkDocs 1.4, Material', dir: 'site' },
  { name: 'commons-cli', kind: 'Javadoc 17', dir: 'site-javadoc' },
  { name: 'hugo-book', kind: 'Hugo 0.111', dir: 'exampleSite/public' },
  { name: 'vitepress-docs', kind: 'VitePress, clean addresses', dir: '.vitepress/dist' },
  { name: 'starlight-links-validator', kind: 'Starlight (Astro)', dir: 'docs/dist' },
  { name: 'design-system', kind: 'Storybook 7', dir: 'storybook-static' },
]

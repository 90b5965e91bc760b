/** Exports for pages and theme components of a site, in the browser. */
export * from '@sekisho/docusaurus/client'

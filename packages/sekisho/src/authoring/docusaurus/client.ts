/** What pages and theme components of a site may use in the browser. */
export * from '@sekisho/docusaurus/client'

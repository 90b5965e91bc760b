/** Exports for a site's config: the theme and plugin, and their functions. */

export * from '@sekisho/docusaurus'
export { default } from '@sekisho/docusaurus'

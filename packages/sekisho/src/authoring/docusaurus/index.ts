/** What a site's config names: the theme and plugin, and what a config may use of it. */

export * from '@sekisho/docusaurus'
export { default } from '@sekisho/docusaurus'

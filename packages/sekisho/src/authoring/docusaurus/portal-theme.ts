/** The look of our own portal, for sites that want it. */
export { default } from '@sekisho/docusaurus/portal-theme'

/** The reference of an API out of its OpenAPI definition, as a plugin of a site. */
export * from '@sekisho/docusaurus/openapi'
export { default } from '@sekisho/docusaurus/openapi'

/** What a site's config names: the theme and plugin, and what a config may use of it. */

export type { SekishoOptions } from '@sekisho/docusaurus'
export {
  default,
  hasCompleteHistory,
  katexHref,
  markdownForWriters,
  rehypeMathStyles,
  validateOptions,
  warnOfBrokenMarkdownLink,
} from '@sekisho/docusaurus'

/** What a site's config needs to set formulas with KaTeX. */
export { katexHref } from './katex-files.ts'
export { rehypeMathStyles } from './rehype-math-styles.ts'

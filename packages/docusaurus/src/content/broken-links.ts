import logger from '@docusaurus/logger'
import { brokenMarkdownLink } from '../writing/markdown.ts'

/** Docusaurus' report on a link to a missing Markdown file. */
type BrokenMarkdownLink = {
  /** Relative to the site, after `@site`. */
  readonly sourceFilePath: string
  readonly url: string
  readonly node: { readonly position?: { readonly start: { readonly line: number } } | undefined }
}

/**
 * For `markdown.hooks.onBrokenMarkdownLinks`: warns with file and line, and keeps the link from failing the build a second time
 * as a link to a missing page. Readers who follow it reach the not-found page.
 */
export function warnOfBrokenMarkdownLink({ sourceFilePath, url, node }: BrokenMarkdownLink): string {
  const line = node.position?.start.line
  logger.warn(brokenMarkdownLink(line === undefined ? sourceFilePath : `${sourceFilePath}:${line}`, url))
  return `pathname://${url}`
}

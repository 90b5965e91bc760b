import logger from '@docusaurus/logger'
import { createLinkHistory, type LinkHistory } from '../writing/link-history.ts'
import { brokenMarkdownLink } from '../writing/markdown.ts'
import { inSiteLanguage } from '../writing/site-language.ts'

/** Docusaurus' report on a link to a missing Markdown file. */
type BrokenMarkdownLink = {
  /** Relative to the site, after `@site`. */
  readonly sourceFilePath: string
  readonly url: string
  readonly node: { readonly position?: { readonly start: { readonly line: number } } | undefined }
}

/** Read once for each build, when the first link is broken. */
let history: LinkHistory | undefined

/**
 * For `markdown.hooks.onBrokenMarkdownLinks`: warns with file and line, and keeps the link from failing the build a second time
 * as a link to a missing page. Readers who follow it reach the not-found page.
 */
export function warnOfBrokenMarkdownLink({ sourceFilePath, url, node }: BrokenMarkdownLink): string {
  const line = node.position?.start.line
  const broken = brokenMarkdownLink(line === undefined ? sourceFilePath : `${sourceFilePath}:${line}`, url)
  history ??= createLinkHistory(process.cwd(), () => undefined)
  const became = history.ofPage({ source: sourceFilePath, permalink: null }, url)
  logger.warn([broken, ...(became === null ? [] : [became])].map(inSiteLanguage).join(' '))
  return `pathname://${url}`
}

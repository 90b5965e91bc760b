import logger from '@docusaurus/logger'
import { afterEach, expect, it, vi } from 'vitest'
import { warnOfBrokenMarkdownLink } from './broken-links.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('warns with file and line, and leaves no link that could fail the build again', async () => {
  const warn = vi.spyOn(logger, 'warn').mockReturnValue(undefined)
  const { default: resolveMarkdownLinks } = await import(
    '@docusaurus/mdx-loader/lib/remark/resolveMarkdownLinks'
  )
  const link = { type: 'link', url: './gone.md#a', children: [], position: { start: { line: 7, column: 1 } } }
  const transform = Reflect.apply(resolveMarkdownLinks, undefined, [
    { resolveMarkdownLink: () => null, onBrokenMarkdownLinks: warnOfBrokenMarkdownLink },
  ])
  await transform({ type: 'root', children: [link] }, { path: 'docs/a.md' })
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/docs\/a\.md"?:7 .*\.\/gone\.md#a/))
  // Docusaurus leaves `pathname://` out of its list of links that have to lead to a page.
  expect(link.url).toBe('pathname://./gone.md#a')
})

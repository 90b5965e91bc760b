import { expect, it } from 'vitest'
import { withoutTwins } from './twins.ts'

const ALL = { opinions: true, markdown: true, zoom: true }

it('leaves off what a plugin of the site does already', () => {
  expect(withoutTwins(ALL, { plugins: [], themes: ['@docusaurus/theme-mermaid'] })).toEqual(ALL)
  const plugins = ['docusaurus-plugin-image-zoom', ['docusaurus-plugin-copy-page-button', {}], () => ({})]
  expect(withoutTwins(ALL, { plugins })).toEqual({ opinions: true, markdown: false, zoom: false })
  expect(withoutTwins(ALL, { themes: ['docusaurus-theme-feedback'] }).opinions).toBe(false)
})

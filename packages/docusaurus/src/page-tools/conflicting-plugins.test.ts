import { expect, it } from 'vitest'
import { withoutConflictingTools } from './conflicting-plugins.ts'

const ALL = { feedback: true, markdown: true, zoom: true }

it('leaves off what a plugin of the site does already', () => {
  expect(withoutConflictingTools(ALL, { plugins: [], themes: ['@docusaurus/theme-mermaid'] })).toEqual(ALL)
  const plugins = ['docusaurus-plugin-image-zoom', ['docusaurus-plugin-copy-page-button', {}], () => ({})]
  expect(withoutConflictingTools(ALL, { plugins })).toEqual({ feedback: true, markdown: false, zoom: false })
  expect(withoutConflictingTools(ALL, { themes: ['docusaurus-theme-feedback'] }).feedback).toBe(false)
})

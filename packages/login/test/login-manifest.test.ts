import { SHELL_TAGLINE, SHELL_TITLE } from '@sekisho/contract/login-page'
import { expect, it } from 'vitest'
import { readManifest, renderShell } from '../build/login-manifest.ts'

const BUILT = [
  { path: 'assets/style-1.css' },
  { path: 'assets/login-1.js', entry: 'page' },
  { path: 'assets/firebase-1.js', entry: 'flow' },
  { path: 'assets/redirect-1.js', entry: 'flow' },
  { path: 'assets/mark-1.svg' },
] as const

it('names every built file with its type', () => {
  expect(readManifest(BUILT)).toEqual({
    script: 'assets/login-1.js',
    flows: { firebase: 'assets/firebase-1.js', redirect: 'assets/redirect-1.js' },
    styles: ['assets/style-1.css'],
    icon: 'assets/mark-1.svg',
    files: [
      { path: 'assets/firebase-1.js', type: 'text/javascript; charset=utf-8' },
      { path: 'assets/login-1.js', type: 'text/javascript; charset=utf-8' },
      { path: 'assets/mark-1.svg', type: 'image/svg+xml' },
      { path: 'assets/redirect-1.js', type: 'text/javascript; charset=utf-8' },
      { path: 'assets/style-1.css', type: 'text/css; charset=utf-8' },
    ],
  })
})

it('fails the build over a file that is not on the list', () => {
  expect(() => readManifest([...BUILT, { path: 'assets/login-1.js.map' }])).toThrow('.map')
  expect(() => readManifest([...BUILT, { path: 'assets/other-1.js', entry: 'page' }])).toThrow(
    'exactly one file for the page',
  )
  expect(() => readManifest(BUILT.filter(({ path }) => !path.includes('firebase')))).toThrow('the flow of')
})

it('renders what stands on the page before the script runs, with a place for the names', () => {
  const shell = renderShell()
  for (const text of [SHELL_TITLE, SHELL_TAGLINE, 'Loading...']) expect(shell.split(text)).toHaveLength(2)
  expect(shell).not.toMatch(/style=|<script/) // its content policy allows neither
})

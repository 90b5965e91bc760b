import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Acknowledgement,
  type AcknowledgementStore,
  readAll,
} from '../../acknowledgements/acknowledgement-store.ts'

/** Stores of one set of acknowledgements. */
export interface AcknowledgementStoreFixture extends AsyncDisposable {
  readonly gate: AcknowledgementStore
  /** A second and a third gate. */
  readonly others: readonly AcknowledgementStore[]
}

const ONE: Acknowledgement = {
  ...{ issuer: 'https://issuer.test', sub: 'a', email: 'a@example.co.jp', path: '/docs/規程/' },
  ...{ version: 'revision 2', page: 'ab'.repeat(32), text: 'cd'.repeat(32), release: 'r1', atMs: 1_000 },
}

/** Every implementation of {@link AcknowledgementStore} passes these. */
export function describeAcknowledgementStore(
  name: string,
  create: () => Promise<AcknowledgementStoreFixture>,
): void {
  describe(`acknowledgements in ${name}`, () => {
    let fixture: AcknowledgementStoreFixture
    beforeEach(async () => {
      fixture = await create()
    })
    afterEach(() => fixture[Symbol.asyncDispose]())

    it('count once for each account and version, whichever gate is asked, also at once', async () => {
      const gates = [fixture.gate, ...fixture.others]
      const asked = Array.from({ length: 9 }, (_, at) => gates[at % gates.length]?.add(ONE))
      expect((await Promise.all(asked)).filter((isFirst) => isFirst)).toHaveLength(1)
      expect(await fixture.gate.add({ ...ONE, version: 'revision 3' })).toBe(true)
      expect(await fixture.gate.add({ ...ONE, issuer: 'https://other.test' })).toBe(true)
      expect(await fixture.gate.add({ ...ONE, release: 'r2', atMs: 2_000 })).toBe(false)
    })

    it('are found by their account alone, the newest first', async () => {
      const later = { ...ONE, path: '/docs/b', atMs: 2_000 }
      for (const one of [ONE, later, { ...ONE, sub: 'b' }, { ...ONE, issuer: 'https://other.test' }])
        await fixture.gate.add(one)
      for (const gate of fixture.others) expect(await gate.ofAccount(ONE)).toEqual([later, ONE])
      expect(await fixture.gate.ofAccount({ ...ONE, sub: 'nobody' })).toEqual([])
    })

    it('are found by their pages where they confirm a review, the newest first, twenty of each', async () => {
      const days = Array.from(
        { length: 25 },
        (_, at) => `review 2026-11-${at < 9 ? 0 : ''}${at + 1} everyone x`,
      )
      const others = ['revision 1', 'review', 'review! 9', 'text 1']
      for (const version of [...days, ...others]) await fixture.gate.add({ ...ONE, version })
      await fixture.gate.add({ ...ONE, path: '/docs/b', version: days[0] ?? '' })
      await fixture.gate.add({ ...ONE, path: '/docs/規', version: days[0] ?? '' })
      for (const gate of [fixture.gate, ...fixture.others]) {
        const found = await gate.reviews([ONE.path, '/docs/none', '/docs/b'])
        const own = found.filter(({ path }) => path === ONE.path).map(({ version }) => version)
        expect(own).toEqual(days.toReversed().slice(0, 20))
        expect(found.filter(({ path }) => path !== ONE.path)).toEqual([
          { ...ONE, path: '/docs/b', version: days[0] },
        ])
      }
      expect(await fixture.gate.reviews([])).toEqual([])
    })

    it('are compared with those who are asked', async () => {
      const done = [ONE, { ...ONE, sub: 'b', email: 'B@Example.co.jp' }]
      for (const one of [...done, { ...ONE, version: 'revision 1', email: 'c@example.co.jp' }])
        await fixture.gate.add(one)
      const asked = [
        'd@example.co.jp',
        'b@example.co.jp',
        "o'c@example.co.jp",
        'a@example.co.jp',
        'c@example.co.jp',
      ]
      const [missing, none] = [[asked[0], asked[2], asked[4]], { path: '/docs/none', version: ONE.version }]
      for (const gate of fixture.others) expect(await gate.compare(ONE, asked)).toEqual({ done: 2, missing })
      expect(await fixture.gate.compare(none, asked)).toEqual({ done: 0, missing: asked })
      expect(await fixture.gate.compare(ONE, [])).toEqual({ done: 2, missing: [] })
    })

    it('are listed in one order, a page at a time, each once', async () => {
      const paths = ['/b', '/a', '/規', '/B', '/a/b', '/-', '/_']
      const all = paths.flatMap((path) => ['1', '2'].map((sub) => ({ ...ONE, path, sub })))
      for (const one of all) await fixture.gate.add(one)
      const inOrder = all.toSorted((one, other) =>
        Buffer.compare(Buffer.from(`${one.path}\0${one.sub}`), Buffer.from(`${other.path}\0${other.sub}`)),
      )
      const small = { list: (after: Acknowledgement | null) => fixture.gate.list(after, 3) }
      const paged: Acknowledgement[] = []
      for (let page = await small.list(null); page.length > 0; page = await small.list(page.at(-1) ?? null))
        paged.push(...page)
      expect(paged).toEqual(inOrder)
      expect(await Array.fromAsync(readAll(fixture.gate))).toEqual(inOrder)
    })
  })
}

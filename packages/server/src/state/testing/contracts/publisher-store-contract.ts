import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PublisherStore, PublishToken } from '../../publishers/publisher-store.ts'

/** Requirements of the contract on an implementation. */
interface PublisherStoreFixture extends AsyncDisposable {
  /** As a gate opens it. */
  readonly gate: PublisherStore
  /** A second gate. */
  readonly other: PublisherStore
  /** As an operator's command opens it. */
  readonly operator: PublisherStore
}

const TOKEN: PublishToken = {
  id: 'ab12cd34',
  name: '佐藤のノート PC',
  may: ['publish', 'rollback'],
  createdAtMs: 1_000,
  expiresAtMs: 2_000,
}

/** Every implementation of {@link PublisherStore} passes these. */
export function describePublisherStore(name: string, create: () => Promise<PublisherStoreFixture>): void {
  describe(`publishers in ${name}`, () => {
    let fixture: PublisherStoreFixture
    beforeEach(async () => {
      fixture = await create()
    })
    afterEach(() => fixture[Symbol.asyncDispose]())

    it('spend a token once, whichever gate is asked, and however many ask at once', async () => {
      const asked = Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? fixture.gate : fixture.other).spend('digest', 5_000),
      )
      expect((await Promise.all(asked)).filter((isFirst) => isFirst)).toHaveLength(1)
      expect(await fixture.other.spend('another', 5_000)).toBe(true)
    })

    it('find a publish token by its digest until it is removed', async () => {
      await fixture.operator.addToken('digest', TOKEN)
      expect(await fixture.gate.findToken('digest')).toEqual(TOKEN)
      expect(await fixture.gate.findToken(TOKEN.id)).toBeNull()
      expect(await fixture.gate.hasToken(TOKEN.id)).toBe(true)
      expect(await fixture.operator.listTokens()).toEqual([TOKEN])
      expect(await fixture.operator.removeToken(TOKEN.id)).toBe(true)
      expect(await fixture.operator.removeToken(TOKEN.id)).toBe(false)
      expect([await fixture.gate.hasToken(TOKEN.id), await fixture.other.findToken('digest')]).toEqual([
        false,
        null,
      ])
    })
  })
}

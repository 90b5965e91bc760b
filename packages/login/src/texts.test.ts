import { expect, it } from 'vitest'
import { describeNotice, describeProgress } from './texts.ts'

it('says how long to wait when the gate said so', () => {
  const tooMany = { kind: 'admission', reason: 'too-many-requests' } as const
  expect(describeNotice({ ...tooMany, retryAfterSeconds: 30 })).toContain('30 秒')
  expect(describeNotice({ ...tooMany, retryAfterSeconds: null })).toContain('しばらく')
})

it('has nothing to report while nothing happens', () => {
  expect(describeProgress({ status: 'signed-out', notice: null })).toBeNull()
  expect(describeProgress({ status: 'refused', email: 'a@b.example' })).toBeNull()
})

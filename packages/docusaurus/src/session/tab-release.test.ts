import { expect, it } from 'vitest'
import { newerRelease, noteRelease } from './tab-release.ts'

it('tells a newer release from other pages that its reader may read', () => {
  const seen = (release: string | null) => {
    noteRelease(release)
    return [newerRelease.get(), newerRelease.isOtherEdition()]
  }
  expect(seen('20261123T211116Z-80fda714-staff')).toEqual([false, false]) // this tab's own
  expect(seen('20261123T221116Z-11111111-staff')).toEqual([true, false])
  expect(seen('20261123T221116Z-11111111-everyone')).toEqual([true, true])
  expect(seen('20261123T211116Z-80fda714-everyone')).toEqual([true, true])
  expect(seen(null)).toEqual([true, true])
  expect(seen('20261123T211116Z-80fda714-staff')).toEqual([false, false])
})

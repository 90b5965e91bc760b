import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { newAnnouncementScript } from './new-announcement.ts'

const SEEN = 'docusaurus.announcement.id-abc'
const DISMISSED = 'docusaurus.announcement.dismiss-abc'

/** Runs the script as a page would and returns what is stored afterwards. */
function visit(stored: Record<string, string>): Record<string, string> {
  const items = new Map(Object.entries(stored))
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
  }
  vm.runInNewContext(newAnnouncementScript('new', '-abc'), { localStorage })
  return Object.fromEntries(items)
}

describe('newAnnouncementScript', () => {
  it('forgets that an older announcement was closed', () => {
    expect(visit({ [SEEN]: 'old', [DISMISSED]: 'true' })).toEqual({ [SEEN]: 'old' })
  })

  it('remembers that this one was closed', () => {
    const stored = { [SEEN]: 'new', [DISMISSED]: 'true' }
    expect(visit(stored)).toEqual(stored)
  })

  it('cannot be ended by the id', () => {
    expect(newAnnouncementScript('</script>', '')).not.toContain('</script>')
  })
})

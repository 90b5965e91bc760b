import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { initialColorModeScript, newAnnouncementScript } from './head-scripts.ts'

/** Runs a script as a page would and returns what is stored afterwards. */
function run(script: string, stored: Record<string, string>): Record<string, string> {
  const items = new Map(Object.entries(stored))
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  vm.runInNewContext(script, { localStorage })
  return Object.fromEntries(items)
}

it.each([initialColorModeScript('dark', ''), newAnnouncementScript('new', '')])(
  'survives a browser without storage',
  (script) => expect(() => vm.runInNewContext(script, {})).not.toThrow(),
)

describe('initialColorModeScript', () => {
  const visit = (stored: Record<string, string>) => run(initialColorModeScript('light', '-abc'), stored)

  it('chooses for a first visit', () => {
    expect(visit({})).toEqual({ 'theme-abc': 'light', 'sekisho.colorMode-abc': '1' })
  })

  it('leaves a choice alone', () => {
    expect(visit({ 'theme-abc': 'dark' })).toMatchObject({ 'theme-abc': 'dark' })
  })

  it('leaves "system", which Docusaurus stores as no choice, alone', () => {
    const { 'theme-abc': _, ...system } = visit({})
    expect(visit(system)).not.toHaveProperty('theme-abc')
  })
})

describe('newAnnouncementScript', () => {
  const SEEN = 'docusaurus.announcement.id-abc'
  const DISMISSED = 'docusaurus.announcement.dismiss-abc'
  const visit = (stored: Record<string, string>) => run(newAnnouncementScript('new', '-abc'), stored)

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

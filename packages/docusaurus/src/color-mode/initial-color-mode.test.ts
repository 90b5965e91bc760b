import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { initialColorModeScript } from './initial-color-mode.ts'

/** Runs the script as a page would and returns what is stored afterwards. */
function visit(stored: Record<string, string>): Record<string, string> {
  const items = new Map(Object.entries(stored))
  const localStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
  vm.runInNewContext(initialColorModeScript('light', '-abc'), { localStorage })
  return Object.fromEntries(items)
}

describe('initialColorModeScript', () => {
  it('chooses for somebody who is here for the first time', () => {
    expect(visit({})).toEqual({ 'theme-abc': 'light', 'sekisho.colorMode-abc': '1' })
  })

  it('leaves a choice alone', () => {
    expect(visit({ 'theme-abc': 'dark' })).toMatchObject({ 'theme-abc': 'dark' })
  })

  it('leaves "system", which Docusaurus stores as no choice, alone', () => {
    const { 'theme-abc': _, ...system } = visit({})
    expect(visit(system)).not.toHaveProperty('theme-abc')
  })

  it('survives a browser without storage', () => {
    expect(() => vm.runInNewContext(initialColorModeScript('dark', ''), {})).not.toThrow()
  })
})

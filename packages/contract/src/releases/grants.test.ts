import { expect, it } from 'vitest'
import type { Message } from '../texts/language.ts'
import { formatGrants, policySources, readGrants, riskOf } from './grants.ts'

it('reads sources by kind, and writes them again', () => {
  const problems: Message[] = []
  const grants = readGrants(
    ' img https://b.example  https://a.example:8443;script eval ; worker blob;',
    problems,
  )
  expect(problems).toEqual([])
  expect(formatGrants(grants)).toBe('img https://a.example:8443 https://b.example; script eval; worker blob')
  expect(policySources(grants, 'script')).toEqual(["'unsafe-eval'"])
  expect(policySources(grants, 'worker')).toEqual(['blob:'])
  expect(policySources(grants, 'img')).toEqual(['https://a.example:8443', 'https://b.example'])
  expect(policySources(grants, 'frame')).toEqual([])
  expect(grants.map(riskOf).every((risk) => risk.in('ja') !== risk.in('en'))).toBe(true)
})

it.each([
  'img *',
  'img https:',
  'img https://*.example.com',
  'img http://a.example',
  'img https://a.example/',
  'img https://a.example/path',
  'img https://A.example',
  'img https://a.example:443',
  'img https://user@a.example',
  'img https://a.example?x',
  'img a.example',
  "script 'unsafe-eval'",
  "script 'unsafe-inline'",
  'script blob',
  'img eval',
  'img data:',
  'connect wss://a.example',
  'img https://a.example,https://b.example',
  'object https://a.example',
  'constructor https://a.example',
  'img constructor',
  'img',
  'https://a.example',
])('refuses %s', (text) => {
  const problems: Message[] = []
  expect(readGrants(text, problems)).toEqual([])
  expect(problems).toHaveLength(1)
})

import { describe, expect, it } from 'vitest'
import { assertLocal, isLoopbackOrigin, LocalIdentityError, type LocalIdentityOptions } from './options.ts'

const GOOD: LocalIdentityOptions = { projectId: 'demo-sekisho', origin: 'http://localhost:3000', env: {} }

describe('the local identity service', () => {
  it('runs for a demo project on loopback', () => {
    expect(() => assertLocal(GOOD)).not.toThrow()
  })

  it.each<[string, object]>([
    ['a real project', { projectId: 'sekisho-prod' }],
    ['a project that only contains the word', { projectId: 'my-demo-sekisho' }],
    ['a project with markup', { projectId: 'demo-"><script>' }],
    ['https', { origin: 'https://localhost:3000' }],
    ['another machine', { origin: 'http://portal.example' }],
    ['a name that only starts like loopback', { origin: 'http://localhost.example' }],
    ['an origin with a path', { origin: 'http://localhost:3000/' }],
    ['every interface', { origin: 'http://0.0.0.0:3000' }],
    ['production', { env: { NODE_ENV: 'production' } }],
    ['an option it does not know', { port: 9099 }],
  ])('refuses %s', (_, change) => {
    expect(() => assertLocal({ ...GOOD, ...change })).toThrow(LocalIdentityError)
  })

  it('reports every problem at once', () => {
    const bad = { projectId: 'x', origin: 'x', env: { NODE_ENV: 'production' } }
    expect(() => assertLocal(bad)).toThrow(/demo-.*loopback.*production/)
  })

  it.each(['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://portal.localhost:8080'])(
    'knows %s as loopback',
    (o) => {
      expect(isLoopbackOrigin(o)).toBe(true)
    },
  )
})

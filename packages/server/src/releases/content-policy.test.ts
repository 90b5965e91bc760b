import { expect, it } from 'vitest'
import { createContentPolicy } from './content-policy.ts'

const HASH = "'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='"
const PAGE = { kind: 'page', scriptHashes: [HASH] } as const

const directives = (policy: string | null) =>
  new Map((policy ?? '').split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]))

it('lets pages use nothing of other hosts unless it is granted', () => {
  const policy = createContentPolicy([])(PAGE)
  expect(policy).not.toContain('https:')
  expect(policy).not.toContain("'unsafe-eval'")
  expect(policy).not.toContain('blob:')
  expect([...directives(policy)]).toEqual(
    expect.arrayContaining([
      ['default-src', "'none'"],
      ['script-src', `'self' 'wasm-unsafe-eval' ${HASH}`],
      ['font-src', "'self' data:"],
      ['media-src', "'self' data:"],
      ['connect-src', "'self' data:"],
      ['frame-ancestors', "'self'"],
    ]),
  )
})

it('adds what is granted where it is granted, and nowhere else', () => {
  const bare = directives(createContentPolicy([])(PAGE))
  const policy = createContentPolicy([
    { kind: 'img', source: 'https://avatars.example' },
    { kind: 'frame', source: 'https://videos.example' },
    { kind: 'script', source: 'eval' },
    { kind: 'worker', source: 'blob' },
  ])
  const granted = directives(policy(PAGE))
  expect(granted.get('img-src')).toBe("'self' data: https://avatars.example")
  expect(granted.get('frame-src')).toBe("'self' https://videos.example")
  expect(granted.get('script-src')).toBe(`'self' 'wasm-unsafe-eval' 'unsafe-eval' ${HASH}`)
  expect(granted.get('worker-src')).toBe("'self' blob:")
  const changed = [...granted].filter(([name, sources]) => bare.get(name) !== sources).map(([name]) => name)
  expect(changed.sort()).toEqual(['frame-src', 'img-src', 'script-src', 'worker-src'])
  expect(policy({ kind: 'isolated' })).toBe(createContentPolicy([])({ kind: 'isolated' }))
  expect(policy({ kind: 'bare' })).toBeNull()
})

it('lets a worker start and ask what its page may, and nothing that needs a document', () => {
  const grants = [
    { kind: 'connect', source: 'https://api.example' },
    { kind: 'img', source: 'https://avatars.example' },
  ] as const
  expect([...directives(createContentPolicy(grants)({ kind: 'script' }))]).toEqual([
    ['default-src', "'none'"],
    ['frame-ancestors', "'none'"],
    ['script-src', "'self' 'wasm-unsafe-eval'"],
    ['connect-src', "'self' data: https://api.example"],
  ])
})

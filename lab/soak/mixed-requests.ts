import type { HeaderLine, WireRequest } from '@sekisho/verify'
import { fillTemplate, HEADER_ROWS, METHOD_ROWS, PATH_ROWS, SIDE_DOOR_ROWS } from '@sekisho/verify'

interface MixOptions {
  readonly cookies: readonly string[]
  readonly paths: readonly string[]
  readonly host: string
}

/** A repeatable stream of what a gate meets in its life: readers, strangers, attackers, sign-outs without a session. */
export function* mixedRequests(
  count: number,
  options: MixOptions,
): Generator<{ readonly request: WireRequest }> {
  let state = 1
  const draw = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[draw(items.length)]
  for (let index = 0; index < count; index += 1) yield { request: mixed(draw(10), pick, options) }
}

type Pick = <Item>(items: readonly Item[]) => Item | undefined

function mixed(kind: number, pick: Pick, { cookies, paths, host }: MixOptions): WireRequest {
  const subject = { path: pick(paths) ?? '/', host, sha256: '0'.repeat(64) }
  const target = fillTemplate('{path}', subject)
  const get = (to: string, headers: readonly HeaderLine[]): WireRequest => ({
    method: 'GET',
    target: to,
    headers,
  })
  const cookie: HeaderLine = ['Cookie', pick(cookies) ?? '']
  const header = pick(HEADER_ROWS)?.headers.map(
    ([name, value]): HeaderLine => [name, fillTemplate(value, subject)],
  )
  switch (kind) {
    case 0:
    case 1:
    case 2:
      return get(target, [cookie, ['Accept-Encoding', pick(['br', 'zstd', 'gzip', 'identity']) ?? 'br']])
    case 3:
      return get(target, [cookie, ['Range', pick(['bytes=0-9', 'bytes=-5', 'bytes=5-', 'bytes=9-1']) ?? '']])
    case 4:
      return get('/__gate/session', [cookie])
    case 5:
      return get(fillTemplate(pick(PATH_ROWS)?.target ?? '/', subject), [])
    case 6:
      return get(target, header ?? [])
    case 7: {
      const row = pick(METHOD_ROWS)
      const request = { method: row?.method ?? 'GET', target, headers: row?.headers ?? [] }
      return row?.body === undefined ? request : { ...request, body: row.body }
    }
    case 8:
      return get(pick(SIDE_DOOR_ROWS)?.target ?? '/', [['Accept', 'text/html']])
    default:
      return {
        method: 'POST',
        target: '/__gate/session',
        headers: [
          ['Origin', `https://${host}`],
          ['Content-Type', 'application/json'],
        ],
        body: '{"idToken":"a.b.c","refreshToken":"x"}',
      }
  }
}

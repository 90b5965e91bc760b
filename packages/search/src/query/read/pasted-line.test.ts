import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readPastedLine } from './pasted-line.ts'

const MESSAGE = 'upstream prematurely closed connection'
const STACK = 'Unable to obtain lock for migration'

it.each([
  `2026/03/05 07:00:01 [error] 8#8: *12 ${MESSAGE}, client: 192.0.2.7, server: a.example, request: "GET /x HTTP/1.1", host: "a.example"`,
  `Mar  5 07:00:01 db-1 postgres[991]: ${MESSAGE}`,
  `W0305 07:00:01.123456       1 reflector.go:424] ${MESSAGE}`,
  `npm error ${MESSAGE}`,
  `PS D:\\work> ${MESSAGE} At D:\\work\\run.ps1:3 char:1`,
  `web-2  | 2026-03-05T07:00:01.123Z ${MESSAGE}`,
  `{"level":"warn","ts":1772694001,"msg":"${MESSAGE}","reqId":"a1"}`,
  `time="2026-03-05T07:00:01+09:00" level=error msg="${MESSAGE}" container=web`,
  `taro@build:~/src$ ${MESSAGE}`,
  `[07:00:01] ERROR ${MESSAGE} at run (/srv/lib/run.js:12:3)`,
  `${MESSAGE} 0x7ffd1a2b3c4d 550e8400-e29b-41d4-a716-446655440000`,
  `\u001b[31m${MESSAGE}\u001b[0m`,
  `2026-03-05T07:00:01.1234567Z ##[error]${MESSAGE}`,
  `07:00:01.123 [main] WARN  ${MESSAGE} と出て止まる`,
])('of %s the message stays', (line) => {
  expect(readPastedLine(line)).toEqual({ text: MESSAGE, isPasted: true })
})

it('keeps a message apart from its logger and its frames', () => {
  const line = `2026-03-05 07:00:01.123 ERROR 7 --- [main] o.f.core.Lock : ${STACK} at org.example.Lock.take(Lock.java:87)`
  expect(readPastedLine(line).text).toBe(STACK)
})

it.each([
  'src/pages/index.astro:12',
  'C# 12',
  'useEffect(() => {}, [])',
  'git push -u origin main',
  '192.168.0.1:8080',
  'error[E0277]: the trait bound',
  'fatal: not a git repository',
  '2026-03-05 の変更',
  'エラー 0x80070005',
  '環境変数 NODE_ENV=production',
])('%s stays as it is', (query) => {
  expect(readPastedLine(query)).toEqual({ text: query, isPasted: false })
})

it('never throws and never makes a query longer', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 500 }),
      (text) => readPastedLine(text).text.length <= text.length,
    ),
  )
})

it.each([
  ['https://docs.example.co.jp/guide/install-windows.html?x=1#step-2', 'guide install windows'],
  [' http://127.0.0.1:8080/docs/%E6%A8%A9%E9%99%90/ ', 'docs 権限'],
  ['https://docs.example/', 'https://docs.example/'],
  ['https://docs.example/a のエラー', 'https://docs.example/a のエラー'],
  ['https://docs.example/%E6', '%E6'],
])('of a pasted address %s the words of its path stay', (query, text) => {
  expect(readPastedLine(query)).toEqual({ text, isPasted: false })
})

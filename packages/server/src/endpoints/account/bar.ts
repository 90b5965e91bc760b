import { readFileSync } from 'node:fs'
import { ROUTES } from '@sekisho/contract/routes'
import { BytesResponse } from '@sekisho/wire'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'

/** Binds the script that brings a search dialog, a way to the account page and word of an ended session to any page that includes it. */
export function createBarRoutes(): RouteTable {
  const script = readFileSync(new URL('./browser/bar.js', import.meta.url), 'utf8')
    .replace('%search%', ROUTES.search.path)
    .replace('%account%', ROUTES.account.path)
    .replace('%session%', ROUTES.session.path)
  const body = new Uint8Array(Buffer.from(script))
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Content-Length': String(body.byteLength),
  }
  const answer: ReaderHandler = () => new BytesResponse(body, { headers })
  return new Map([readerRoute(ROUTES.bar, { GET: answer, HEAD: answer })])
}

import { readFileSync } from 'node:fs'
import { ROUTES } from '@sekisho/contract/routes'
import { BytesResponse } from '@sekisho/wire'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'

/** Binds the script that gives any page a search dialog, a link to the account page and notice of an ended session. */
export function createBarRoutes(hasAnswers: boolean): RouteTable {
  const script = readFileSync(new URL('./browser/bar.js', import.meta.url), 'utf8')
    .replace('%search%', ROUTES.search.path)
    .replace('%account%', ROUTES.account.path)
    .replace('%session%', ROUTES.session.path)
    .replace('%ask%', hasAnswers ? ROUTES.askScript.path : '')
  const body = new Uint8Array(Buffer.from(script)) // of every page of a site without our theme
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8' }
  const answer: ReaderHandler = () => new BytesResponse(body, { headers })
  return new Map([readerRoute(ROUTES.bar, { GET: answer, HEAD: answer })])
}

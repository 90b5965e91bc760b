import { expect, it } from 'vitest'
import { createSeal, sessionKeyOf } from '../state/sessions/index.ts'
import { createTestSessions } from '../state/testing/index.ts'
import { createViews } from './views.ts'

const seal = createSeal('s'.repeat(32))
const SECURE = new URL('https://portal.test')
const asking = (setCookie: string) =>
  new Request(SECURE, { headers: { Cookie: setCookie.split(';')[0] ?? '' } })

async function signedIn() {
  const test = createTestSessions()
  const find = async () => {
    const session = await test.sessions.find(sessionKeyOf(await test.signIn()), { touch: false })
    if (session === null) throw new Error('nobody is signed in')
    return session
  }
  return { find, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() }
}

it('is a cookie that scripts cannot read, of this host and of https where the portal is', async () => {
  await using readers = await signedIn()
  const session = await readers.find()
  const cookie = createViews(SECURE, seal).begin(session, 'staff')
  expect(cookie).toMatch(/^__Host-[\w-]+=[\w-]+; Path=\/; Max-Age=28800; SameSite=Lax; Secure; HttpOnly$/)
  const local = createViews(new URL('http://localhost:3000'), seal).begin(session, 'staff')
  expect(local).toMatch(/^sekisho-[\w-]+=[\w-]+; Path=\/; Max-Age=28800; SameSite=Lax; HttpOnly$/)
})

it('is of one session, on one host, and of a gate', async () => {
  await using readers = await signedIn()
  const [session, another] = [await readers.find(), await readers.find()]
  const views = createViews(SECURE, seal)
  const request = asking(views.begin(session, 'staff'))
  expect(views.read(request, session)).toBe('staff')
  expect(views.read(request, another)).toBeNull()
  const elsewhere = createViews(new URL('https://pr-1--portal.test'), seal)
  expect(elsewhere.read(request, session)).toBeNull()
  const others = createViews(SECURE, createSeal('t'.repeat(32)))
  expect(others.read(request, session)).toBeNull()
  expect(views.read(asking(views.end()), session)).toBeNull()
})

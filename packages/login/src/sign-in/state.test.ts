import { describe, expect, it } from 'vitest'
import { reduceSignIn, type SignInEvent, type SignInState } from './state.ts'

const LOADING: SignInState = { status: 'loading' }
const SIGNED_OUT: SignInState = { status: 'signed-out', notice: null }
const SIGNING_IN: SignInState = { status: 'signing-in', via: 'popup', label: 'Google', isSlow: false }
const ASKING: SignInState = { status: 'asking', email: 'a@b.example' }
const REFUSED: SignInState = { status: 'refused', email: 'a@b.example' }
const ADMITTED: SignInState = { status: 'admitted' }
const NOTICE = { kind: 'cancelled' } as const

const resolved: SignInEvent = { type: 'resolved-without-user', notice: null }
const started: SignInEvent = { type: 'started', via: 'redirect', label: 'Google' }
const user: SignInEvent = { type: 'user', email: 'a@b.example' }

describe('the way through the page', () => {
  it.each<[string, SignInState, SignInEvent, SignInState]>([
    ['nobody is signed in', LOADING, resolved, SIGNED_OUT],
    ['a redirect brought somebody', LOADING, user, ASKING],
    ['the reader starts', SIGNED_OUT, { type: 'started', via: 'popup', label: 'Google' }, SIGNING_IN],
    ['the popup fails over to redirect', SIGNING_IN, started, { ...SIGNING_IN, via: 'redirect' }],
    ['the popup takes long', SIGNING_IN, { type: 'became-slow' }, { ...SIGNING_IN, isSlow: true }],
    [
      'the reader gives up',
      SIGNING_IN,
      { type: 'stopped', notice: NOTICE },
      { status: 'signed-out', notice: NOTICE },
    ],
    ['somebody arrives', SIGNING_IN, user, ASKING],
    ['the gate says yes', ASKING, { type: 'admitted' }, ADMITTED],
    ['the gate says no', ASKING, { type: 'refused' }, REFUSED],
    [
      'a refused reader chooses again',
      REFUSED,
      { type: 'started', via: 'popup', label: 'Google' },
      SIGNING_IN,
    ],
  ])('%s', (_, state, event, next) => {
    expect(reduceSignIn(state, event)).toEqual(next)
  })
})

describe('an event out of turn', () => {
  it.each<[string, SignInState, SignInEvent]>([
    ['the SDK forgets the refused user', REFUSED, resolved],
    ['the start-up timer runs out late', SIGNED_OUT, resolved],
    ['the start-up timer runs out during a sign-in', SIGNING_IN, resolved],
    ['a click lands while the gate is asked', ASKING, started],
    ['a slow popup belongs to the past', ASKING, { type: 'became-slow' }],
    ['nobody was asked about', SIGNED_OUT, { type: 'admitted' }],
    ['a popup closes after the gate said yes', ADMITTED, { type: 'stopped', notice: NOTICE }],
    ['another user arrives after the gate said yes', ADMITTED, user],
  ])('changes nothing: %s', (_, state, event) => {
    expect(reduceSignIn(state, event)).toBe(state)
  })
})

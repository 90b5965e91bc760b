/**
 * Runs in the invisible frame. A popup's result arrives as a message from the picker, a redirect's result lies
 * in session storage; either is passed to the login page once that says it is listening.
 */
;(() => {
  const query = new URLSearchParams(location.search)
  const storageKey = `sekisho:redirect-event:${query.get('apiKey')}:${query.get('appName')}`
  const nothing = { type: 'unknown', error: { code: 'auth/no-auth-event' } }
  const post = (message) => parent.postMessage({ sekisho: true, ...message }, location.origin)
  const deliver = (authEvent) =>
    post({
      kind: 'call',
      id: crypto.randomUUID(),
      name: 'authEvent',
      payload: { type: 'authEvent', authEvent },
    })

  function takeStoredEvent() {
    const stored = sessionStorage.getItem(storageKey)
    sessionStorage.removeItem(storageKey)
    return stored === null ? nothing : JSON.parse(stored)
  }

  addEventListener('message', ({ origin, data }) => {
    if (origin !== location.origin || data?.sekisho !== true) return
    if (data.kind === 'picked') deliver(data.authEvent)
    if (data.kind === 'registered' && data.name === 'authEvent') deliver(takeStoredEvent())
    if (data.kind === 'call' && data.name === 'webStorageSupport') {
      post({ kind: 'reply', id: data.id, answers: [{ status: 'ACK', webStorageSupport: true }] })
    }
  })
  post({ kind: 'ready' })
})()

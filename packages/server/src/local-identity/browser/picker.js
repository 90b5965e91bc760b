/** Turns the chosen account into the event the Firebase SDK waits for, by popup or by redirect. */
;(() => {
  const query = new URLSearchParams(location.search)
  const apiKey = query.get('apiKey')
  const appName = query.get('appName')
  const problem = document.getElementById('problem')

  function showProblem(text) {
    problem.textContent = text
    problem.hidden = false
  }

  function findFrame() {
    const frames = Array.from({ length: opener?.frames.length ?? 0 }, (_, index) => opener.frames[index])
    return frames.find((frame) => {
      try {
        const asked = new URL(frame.location.href)
        const isOurs = asked.pathname === '/emulator/auth/iframe'
        return (
          isOurs &&
          asked.searchParams.get('apiKey') === apiKey &&
          asked.searchParams.get('appName') === appName
        )
      } catch {
        return false // A frame of another origin.
      }
    })
  }

  function finish(claims) {
    const answer = new URL(location.pathname, location.origin)
    answer.search = new URLSearchParams({
      providerId: 'google.com',
      id_token: JSON.stringify(claims),
    }).toString()
    const authEvent = {
      type: query.get('authType'),
      eventId: query.get('eventId'),
      urlResponse: answer.href,
      sessionId: 'unused',
      postBody: '',
      tenantId: null,
      error: null,
    }
    if (/popup/i.test(query.get('authType') ?? '')) return finishPopup(authEvent)
    const target = URL.parse(query.get('redirectUrl') ?? '')
    if (target?.origin !== location.origin)
      return showProblem('戻り先のページがこのポータルのものではありません。')
    sessionStorage.setItem(`sekisho:redirect-event:${apiKey}:${appName}`, JSON.stringify(authEvent))
    location.replace(target.href)
  }

  function finishPopup(authEvent) {
    const frame = findFrame()
    if (frame === undefined)
      return showProblem('ログインページが見つかりません。この画面を閉じて、もう一度お試しください。')
    frame.postMessage({ sekisho: true, kind: 'picked', authEvent }, location.origin)
  }

  if (query.get('providerId') !== 'google.com' || apiKey === null || appName === null) {
    showProblem('この画面は、ポータルのログインページから開いてください。')
    return
  }
  for (const button of document.querySelectorAll('button[data-claims]')) {
    button.addEventListener('click', () => finish(JSON.parse(button.dataset.claims)))
  }
  document.getElementById('new-account').addEventListener('submit', (event) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const email = String(fields.get('email')).trim()
    const name = String(fields.get('displayName')).trim()
    finish({ sub: crypto.randomUUID(), name: name === '' ? undefined : name, email, email_verified: true })
  })
  // The page comes with its buttons disabled: a click before this line would have been lost.
  for (const button of document.querySelectorAll('button')) button.disabled = false
})()

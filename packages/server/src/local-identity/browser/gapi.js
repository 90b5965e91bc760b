/**
 * Replaces the part of Google's gapi.iframes that the Firebase SDK uses, so that sign-in works offline. The SDK uses an existing
 * `window.gapi` and never loads the real one. The counterpart is frame.js, over postMessage within one origin.
 */
;(() => {
  const filter = {}

  function createFrame(element) {
    const handlers = new Map()
    const replies = new Map()
    let markReady
    const ready = new Promise((resolve) => {
      markReady = resolve
    })
    const post = (message) =>
      element.contentWindow?.postMessage({ sekisho: true, ...message }, location.origin)

    /** The SDK throws after it has read the answer, whatever that was; the real gapi swallows it too. */
    function settle({ id, answers }) {
      try {
        replies.get(id)?.(answers)
      } catch {
        replies.delete(id)
      }
    }

    async function onMessage({ source, origin, data }) {
      if (source !== element.contentWindow || origin !== location.origin || data?.sekisho !== true) return
      if (data.kind === 'ready') markReady([])
      if (data.kind === 'reply') settle(data)
      if (data.kind === 'call') {
        const answer = await handlers.get(data.name)?.(data.payload)
        post({ kind: 'reply', id: data.id, answers: [answer] })
      }
    }
    addEventListener('message', onMessage)

    return {
      restyle: () => Promise.resolve([]),
      ping: () => ready,
      register(name, handler) {
        handlers.set(name, handler)
        ready.then(() => post({ kind: 'registered', name }))
      },
      send(name, payload, callback) {
        const id = crypto.randomUUID()
        replies.set(id, callback)
        ready.then(() => post({ kind: 'call', id, name, payload }))
      },
    }
  }

  function open({ where, url, attributes }, callback) {
    const element = document.createElement('iframe')
    const { style, ...rest } = attributes ?? {}
    for (const [name, value] of Object.entries(rest)) element.setAttribute(name, value)
    Object.assign(element.style, style)
    element.title = 'ローカル認証の中継'
    const frame = createFrame(element)
    element.src = url
    where.append(element)
    return callback(frame)
  }

  const iframes = {
    // The SDK looks for this name to tell that gapi.iframes is there.
    Iframe: function Iframe() {},
    CROSS_ORIGIN_IFRAMES_FILTER: filter,
    getContext: () => ({ open: (parameters, callback) => Promise.resolve(open(parameters, callback)) }),
  }
  window.gapi = { iframes, load: (_name, { callback }) => callback() }
})()

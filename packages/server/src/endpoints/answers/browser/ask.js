// The panel that asks, for every page: `import('/__gate/ask.js').then(({ openAsk }) => openAsk({ question, page, selection, base }))`. On the
// gate's own page it takes the place of the form. The same for everybody: the gate puts in its addresses and texts.
const ANSWERS = '%answers%'
const FEEDBACK = '%feedback%'
const ALL_TEXTS = '%texts%'
const TEXTS = ALL_TEXTS[document.documentElement.lang.startsWith('ja') ? 'ja' : 'en']
const MAX_TURNS = 3
const TURNS_KEY = 'sekisho-asked'

const STYLE = `
  :host { all: initial; color-scheme: light dark; word-break: auto-phrase; --link: LinkText; --fill: ButtonFace;
    font: 16px/1.7 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans JP', 'Noto Sans CJK JP', Meiryo, system-ui, sans-serif; }
  :host([data-gate]) { --link: var(--accent); --fill: var(--card); }
  :host([data-dark]) { color-scheme: dark; }
  :host([data-light]) { color-scheme: light; }
  dialog { box-sizing: border-box; width: min(44rem, 100vw - 1rem); max-width: none; max-height: calc(100dvh - 2rem);
    margin: 1rem auto auto; padding: 1rem; overflow: auto; border: 1px solid GrayText; border-radius: 0.75rem;
    color: CanvasText; background: Canvas; }
  dialog::backdrop { background: rgb(0 0 0 / 0.45); }
  .panel { color: CanvasText; overflow-wrap: anywhere; }
  form { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem; }
  textarea { flex: 1 1 16rem; box-sizing: border-box; min-width: 0; min-height: 4.5rem; font: inherit; padding: 0.5rem; border-radius: 0.5rem;
    border: 1px solid GrayText; color: FieldText; background: Field; }
  button { font: inherit; min-height: 2.75rem; padding: 0.25rem 1rem; border: 1px solid GrayText; border-radius: 0.5rem;
    color: ButtonText; background: var(--fill); cursor: pointer; }
  button[hidden] { display: none; }
  .actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  :focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
  .quiet { font-size: 0.875rem; opacity: 0.85; }
  h2 { font-size: 1rem; margin: 1rem 0 0.25rem; }
  .asked { font-weight: 600; border-top: 1px solid GrayText; margin-top: 1rem; padding-top: 0.75rem; }
  p, ul, ol { margin: 0.5rem 0; }
  ul, ol { padding-left: 1.5rem; }
  pre { overflow-x: auto; padding: 0.75rem; border: 1px solid GrayText; border-radius: 0.5rem; }
  code { font-family: ui-monospace, monospace; font-size: 0.9em; }
  a { color: var(--link); }`

/** @param {string} tag @param {Record<string, unknown>} properties @param {(Node | string)[]} children */
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** Text between backticks is code; nothing else of a text is markup. */
const withCode = (text) => text.split('`').map((part, at) => (at % 2 === 1 ? make('code', {}, part) : part))

/** Questions of this tab and the sources of their answers: no answer is kept, and none is sent. */
const readTurns = () => {
  try {
    return JSON.parse(sessionStorage.getItem(TURNS_KEY) ?? '[]').slice(-MAX_TURNS)
  } catch {
    return []
  }
}
const keepTurn = (turn) =>
  sessionStorage.setItem(TURNS_KEY, JSON.stringify([...readTurns(), turn].slice(-MAX_TURNS)))

/** Events of a response, as they come. */
async function* readEvents(body) {
  let pending = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (pending + read.value).split('\n\n')
    pending = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith('data: ')) yield JSON.parse(block.slice(6))
  }
}

const clockTime = (waitSeconds) =>
  new Date(Date.now() + waitSeconds * 1_000 + 59_999).toLocaleTimeString(
    document.documentElement.lang || undefined,
    {
      hour: '2-digit',
      minute: '2-digit',
    },
  )

/** One question with its answer, shown as it comes. */
function createAnswer({ question, root }) {
  const text = make('div', { ariaLive: 'polite', ariaAtomic: 'false' })
  const status = make('p', { role: 'status' }, TEXTS.thinking)
  const after = make('div', {})
  root.append(make('p', { className: 'asked' }, question), text, status, after)
  let sources = []
  const cited = new Set()
  const copied = []
  let list = null

  const link = (n) => {
    const source = sources.find((one) => one.n === n)
    return source === undefined ? [] : ['\u00a0', make('a', { href: source.url }, `[${n}]`)]
  }
  const nameOf = ({ title, heading }) => (heading === title ? title : `${title} > ${heading}`)

  const show = {
    sources(event) {
      sources = event.sources
    },
    sentence({ kind, text: said, cites }) {
      for (const n of cites) cited.add(n)
      copied.push(`${kind === 'item' ? '- ' : ''}${said} ${cites.map((n) => `[${n}]`).join('')}`)
      const content = kind === 'code' ? [] : [...withCode(said), ...cites.flatMap(link)]
      if (kind === 'item') {
        list ??= text.appendChild(make('ul', {}))
        list.append(make('li', {}, ...content))
        return
      }
      list = null
      if (kind === 'code')
        text.append(
          make('pre', { tabIndex: 0 }, make('code', {}, said)),
          make('p', {}, ...cites.flatMap(link)),
        )
      else text.append(make('p', {}, ...content))
    },
    end({ outcome, dropped, nearest }) {
      const used = sources.filter(({ n }) => cited.has(n))
      status.textContent =
        outcome === 'answered' ? '' : outcome === 'not_found' ? TEXTS.notFound : TEXTS.failures[outcome]
      if (dropped > 0)
        after.append(make('p', { className: 'quiet' }, TEXTS.dropped.replace('%count%', dropped)))
      const pages = outcome === 'not_found' ? nearest : []
      if (pages.length > 0)
        after.append(
          make('h2', {}, TEXTS.nearest),
          make('ul', {}, ...pages.map(({ url, title }) => make('li', {}, make('a', { href: url }, title)))),
        )
      if (used.length > 0) {
        const items = used.map((source) => {
          const day = source.updated && TEXTS.updated.replace('%day%', source.updated)
          return make('li', { value: source.n }, make('a', { href: source.url }, nameOf(source)), day)
        })
        after.append(make('h2', {}, TEXTS.sources), make('ol', {}, ...items), actions(used))
      }
      keepTurn({ question, sources: used.map(({ url }) => url).slice(0, 8) })
    },
  }

  function actions(used) {
    const copy = make('button', { type: 'button' }, TEXTS.copy)
    copy.onclick = async () => {
      const lines = used.map(
        (source) => `[${source.n}] ${nameOf(source)} ${new URL(source.url, location.href).href}`,
      )
      await navigator.clipboard.writeText([question, '', ...copied, '', ...lines].join('\n'))
      copy.textContent = TEXTS.copied
    }
    const row = make('div', { className: 'actions' }, copy)
    for (const helpful of [true, false]) {
      const button = make('button', { type: 'button' }, helpful ? TEXTS.helpful : TEXTS.unhelpful)
      button.onclick = () => {
        const body = JSON.stringify({ question, helpful })
        fetch(FEEDBACK, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(
          () => {},
        )
        row.replaceChildren(copy, make('span', { role: 'status' }, TEXTS.thanks))
      }
      row.append(button)
    }
    return row
  }
  return {
    show: (event) => show[event.event]?.(event),
    fail(message) {
      status.textContent = message
    },
  }
}

async function refusal(response) {
  const { code } = await response.json().catch(() => ({}))
  const wait = Number(response.headers.get('Retry-After') ?? 60)
  return `${TEXTS.refusals[code] ?? TEXTS.failures.broken} ${TEXTS.again.replace('%time%', clockTime(wait))}`
}

/** The panel: a field, and the answers of this tab's questions below it. */
function createPanel({ question = '', page = '', selection = '', base = location.pathname, onClose = null }) {
  const input = make('textarea', {
    name: 'question',
    maxLength: 500,
    required: true,
    value: question,
    ariaLabel: TEXTS.question,
  })
  const submit = make('button', {}, TEXTS.ask)
  const stop = make('button', { type: 'button', hidden: true }, TEXTS.stop)
  const form = make('form', {}, input, submit, stop)
  if (onClose !== null) form.append(make('button', { type: 'button', onclick: onClose }, TEXTS.close))
  const answers = make('div', {})
  const panel = make(
    'div',
    { className: 'panel' },
    form,
    make('p', { className: 'quiet' }, TEXTS.sent),
    answers,
  )
  let running = null

  const end = () => running?.abort()
  stop.onclick = end
  addEventListener('pagehide', end)
  form.onsubmit = async (event) => {
    event.preventDefault()
    const asked = input.value.trim()
    if (asked === '' || running !== null) return
    running = new AbortController()
    const { signal } = running
    stop.hidden = false
    submit.disabled = true
    // The next question can be typed while this answer comes.
    input.value = ''
    let isAnswered = false
    const answer = createAnswer({ question: asked, root: answers })
    try {
      const response = await fetch(ANSWERS, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
        body: JSON.stringify({ question: asked, page, selection, base, turns: readTurns() }),
        signal,
      })
      if (response.status === 401) return location.reload()
      if (!response.ok) answer.fail(await refusal(response))
      else {
        for await (const one of readEvents(response.body)) answer.show(one)
        isAnswered = true
      }
    } catch {
      answer.fail(signal.aborted ? TEXTS.failures.stopped : TEXTS.offline)
    } finally {
      running = null
      stop.hidden = true
      submit.disabled = false
      if (!isAnswered) input.value ||= asked
    }
  }
  input.onkeydown = (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault()
      form.requestSubmit()
    }
  }
  return { panel, end, start: () => (input.value === '' ? input.focus() : form.requestSubmit()) }
}

function shadowOf(host) {
  const { theme } = document.documentElement.dataset // of Docusaurus; other sites follow the system
  if (theme === 'dark' || theme === 'light') host.setAttribute(`data-${theme}`, '')
  const shadow = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  shadow.adoptedStyleSheets = [sheet]
  return shadow
}

/** Opens the panel above the page, and asks at once where there is a question. */
export function openAsk(options = {}) {
  const host = make('div', { id: 'sekisho-ask' })
  const before = document.activeElement
  const dialog = make('dialog', { ariaLabel: TEXTS.title })
  const { panel, end, start } = createPanel({ ...options, onClose: () => dialog.close() })
  dialog.append(panel)
  dialog.onclose = () => {
    end()
    host.remove()
    before?.focus?.()
  }
  shadowOf(host).append(dialog)
  document.body.append(host)
  dialog.showModal()
  start()
}

const form = document.querySelector('form[data-ask]')
if (form !== null && document.querySelector('[data-answer]:empty') !== null) {
  const host = make('div', {})
  host.dataset.gate = ''
  const { panel, start } = createPanel({
    question: form.question.value,
    page: form.dataset.page,
    base: form.dataset.page || '/',
  })
  shadowOf(host).append(panel)
  form.replaceWith(host)
  if (form.dataset.start !== undefined) start()
}

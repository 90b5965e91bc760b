import type { ClientModule } from '@docusaurus/types'
import { DEV_EDITIONS_PATH, type DevEditions } from '@sekisho/contract/paths'

const isJapanese = process.env.PAGE_LANGUAGE === 'ja'
const TEXTS = isJapanese
  ? {
      title: '表示するエディション',
      all: 'すべてのページ',
      holding: (names: string) => `このページが入るエディション: ${names}`,
      starting: 'エディションを切り替えています…',
    }
  : {
      title: 'Edition shown',
      all: 'All pages',
      holding: (names: string) => `This page is in: ${names}`,
      starting: 'Changing the edition…',
    }

const STYLE =
  'position:fixed;z-index:890;inset-block-end:1rem;inset-inline-end:5rem;max-inline-size:min(24rem,calc(100vw - 7rem));' +
  'padding:.5rem .75rem;border:1px solid #8c8c8c;border-radius:.5rem;background:#fff;color:#1c1e21;' +
  'box-shadow:0 2px 8px #0003;font-size:.85rem;line-height:1.6'
/** A development server takes some seconds to start. */
const ASK_AGAIN_MS = 500

/** Reads a response; null without one. */
async function ask(query: string, method = 'GET'): Promise<DevEditions | null> {
  try {
    const response = await fetch(`${DEV_EDITIONS_PATH}?${query}`, { method })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

/** Shows in which editions the page is, and lets a writer look at the site as one of them. */
function show({ shown, editions }: DevEditions): void {
  const id = 'sekisho-editions'
  const box = document.getElementById(id) ?? document.createElement('aside')
  box.id = id
  box.setAttribute('style', STYLE)
  const select = document.createElement('select')
  select.style.cssText = 'min-block-size:2.25rem;max-inline-size:100%'
  for (const [value, text] of [
    ['', TEXTS.all] as const,
    ...editions.map(({ name }) => [name, name] as const),
  ])
    select.append(new Option(text, value, false, value === (shown ?? '')))
  select.onchange = () => void change(select.value, box)
  const label = document.createElement('label')
  label.append(`${TEXTS.title}: `, select)
  box.replaceChildren(label)
  if (editions.every(({ holdsPage }) => holdsPage !== null)) {
    const names = editions.filter(({ holdsPage }) => holdsPage).map(({ name }) => name)
    const line = document.createElement('div')
    line.textContent = TEXTS.holding(names.join(isJapanese ? '、' : ', '))
    box.append(line)
  }
  if (!box.isConnected) document.body.append(box)
}

/** Has another edition shown, and loads the page again once its server is there. */
async function change(edition: string, box: HTMLElement): Promise<void> {
  const wanted = edition === '' ? null : edition
  box.replaceChildren(TEXTS.starting)
  await ask(`edition=${encodeURIComponent(edition)}`, 'POST')
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    const answer = await ask('page=')
    if (answer !== null && answer.shown === wanted) break
  }
  window.location.reload()
}

const module: ClientModule = {
  onRouteDidUpdate({ location }) {
    void ask(`page=${encodeURIComponent(decodeURI(location.pathname))}`).then((answer) => {
      if (answer !== null) show(answer)
    })
  },
}

export default module

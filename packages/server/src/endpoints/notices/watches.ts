import { ROUTES } from '@sekisho/contract/routes'
import { readFormBody } from '../../kernel/json-body.ts'
import { type Html, html } from '../../kernel/pages/html.ts'
import { problem } from '../../kernel/pages/problem.ts'
import { pageLanguage } from '../../kernel/pages/reader-page.ts'
import type { Reader, ServedEdition } from '../../kernel/reader.ts'
import { type ReaderHandler, type RouteTable, readerRoute } from '../../kernel/route-table.ts'
import type { NoticeStore } from '../../state/notices/index.ts'
import { TEXTS } from '../../texts/index.ts'

interface WatchesOptions {
  readonly notices: Pick<NoticeStore, 'findWatch' | 'putWatch'>
  readonly now: () => number
}

/** Folders whose changes readers are told of by mail. */
export interface Watches {
  readonly routes: RouteTable
  /** Section of the account page with the reader's folders, and a form for another one. */
  watchSection(reader: Reader): Promise<readonly Html[]>
}

const MAX_FOLDERS = 20
/** Folders that a form offers; deeper ones of larger sites are left out. */
const MAX_OFFERED = 300
const MAX_DEPTH = 3
const SECTION_ID = 'watches'

/** Binds the form with which readers ask for mail about changes; only a vouched address gets any. */
export function createWatches({ notices: store, now }: WatchesOptions): Watches {
  const mayWatch = ({ via, viewingAs, account }: Reader) =>
    via === 'session' && viewingAs === null && account.vouched.address

  const change: ReaderHandler = async (request, reader) => {
    const form = await readFormBody(request, ROUTES.watches.maxBodyBytes)
    const folder = form?.get('folder') ?? ''
    const { served, account } = reader
    if (served === null || !mayWatch(reader)) return problem('bad_request')
    const { issuer, sub, email } = account
    const kept = (await store.findWatch(account))?.folders ?? []
    const others = kept.filter((one) => one !== folder)
    const isAdded = form?.get('action') === 'add'
    if (isAdded && (others.length >= MAX_FOLDERS || !foldersOf(served).includes(folder)))
      return problem('bad_request')
    if (!isAdded && form?.get('action') !== 'end') return problem('bad_request')
    const folders = isAdded ? [...others, folder].sort() : others
    await store.putWatch({ issuer, sub, email, folders, atMs: now() })
    return new Response(null, { status: 303, headers: { Location: `${ROUTES.account.path}#${SECTION_ID}` } })
  }

  async function watchSection(reader: Reader): Promise<readonly Html[]> {
    const { served } = reader
    if (served === null || !mayWatch(reader)) return []
    const texts = TEXTS[pageLanguage(served.site)].notices
    const kept = (await store.findWatch(reader.account))?.folders ?? []
    const nameOf = (folder: string) => (folder === '/' ? texts.everything : folder)
    const form = (action: 'add' | 'end', inside: Html) =>
      html`<form method="post" action="${ROUTES.watches.path}"><input type="hidden" name="action" value="${action}">${inside}</form>`
    const items = kept.map(
      (folder) =>
        html`<li><div>${nameOf(folder)}</div>${form('end', html`<input type="hidden" name="folder" value="${folder}"><button aria-label="${texts.end}: ${nameOf(folder)}">${texts.end}</button>`)}</li>\n`,
    )
    const offered = foldersOf(served).filter((folder) => !kept.includes(folder))
    const choices = offered.map((folder) => html`<option value="${folder}">${nameOf(folder)}</option>`)
    const adding = form(
      'add',
      html`<label>${texts.folder} <select name="folder">${choices}</select></label> <button>${texts.add}</button>`,
    )
    return [
      html`<h2 id="${SECTION_ID}">${texts.title}</h2>\n<p class="quiet">${texts.lead}</p>\n`,
      ...(items.length === 0 ? [] : [html`<ul class="card">${items}</ul>\n`]),
      ...(offered.length === 0 || kept.length >= MAX_FOLDERS ? [] : [adding]),
    ]
  }

  return { routes: new Map([readerRoute(ROUTES.watches, { POST: change })]), watchSection }
}

const known = new WeakMap<ServedEdition['edition'], readonly string[]>()

/** Folders of the pages of an edition, which never changes. */
function foldersOf({ edition }: ServedEdition): readonly string[] {
  const folders = known.get(edition) ?? listFolders(edition.files)
  known.set(edition, folders)
  return folders
}

function listFolders(files: ServedEdition['edition']['files']): readonly string[] {
  const folders = new Set<string>()
  for (const [path, { title }] of files) {
    if (title === undefined) continue
    const parts = path.split('/').slice(1, -1)
    for (let depth = 0; depth <= Math.min(parts.length, MAX_DEPTH); depth += 1)
      folders.add(depth === 0 ? '/' : `/${parts.slice(0, depth).join('/')}/`)
  }
  return [...folders].sort().slice(0, MAX_OFFERED)
}

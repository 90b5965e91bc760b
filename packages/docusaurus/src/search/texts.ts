import type { Area, FoundPage } from '@sekisho/contract/search-response'

const JAPANESE = {
  label: 'ポータルを検索',
  placeholder: '言葉、読み、識別子、エラーメッセージで検索',
  clear: '入力を消す',
  close: '閉じる',
  areas: '検索する区画',
  filters: '絞り込み',
  version: (name: string) => `バージョン ${name}`,
  since: (day: string) => `${day} 以降`,
  until: (day: string) => `${day} 以前`,
  lastMonth: '1 か月以内の更新',
  lastYear: '1 年以内の更新',
  everywhere: 'すべて',
  results: '検索結果',
  recentQueries: '最近の検索',
  recentPages: '最近読んだページ',
  forget: '履歴を消す',
  nothingYet: '探したいことを入力してください。漢字に変換する前の読みや、ローマ字のままでも見つかります。',
  nothingFound: (q: string) => `「${q}」に一致するページは見つかりませんでした`,
  nothingFoundHint: '短い言葉に分けるか、別の言い方でお試しください。',
  searchEverywhere: '絞り込みを外して検索する',
  didYouMean: 'もしかして:',
  relaxed: 'すべての言葉を含むページがないため、一部の言葉や近い言葉を含むページを表示しています。',
  offline: 'サーバーに接続できません',
  offlineHint: 'ネットワーク接続を確認してください。つながると自動でもう一度検索します。',
  unavailable: '検索を利用できません',
  unavailableHint:
    '少し待ってからもう一度お試しください。続くときは管理者に知らせてください。ページは引き続き読めます。',
  retry: 'もう一度検索する',
  searching: '検索しています',
  count: (pages: number) => (pages === 0 ? '一致するページはありません' : `${pages} ページ見つかりました`),
  all: 'すべての結果を見る',
  ask: '質問する',
  askHint: '会社が選んだモデルが、出典付きで答えます',
  rewritten: (queries: readonly string[]) => `言い換えると: ${queries.join(' / ')}`,
  rewrittenHint: '検索の文だけを、会社が選んだモデルに送って言い換えました',
  move: '選ぶ',
  follow: '開く',
  newTab: '新しいタブで開く',
  pageTitle: '検索',
  pageTitleFor: (q: string) => `「${q}」の検索結果`,
  submit: '検索する',
  page: 'ページ',
  obsolete: '廃止',
}

const ENGLISH: typeof JAPANESE = {
  label: 'Search this site',
  placeholder: 'Search for words, identifiers or error messages',
  clear: 'Clear',
  close: 'Close',
  areas: 'Where to search',
  filters: 'Filters',
  version: (name) => `Version ${name}`,
  since: (day) => `Since ${day}`,
  until: (day) => `Until ${day}`,
  lastMonth: 'Changed within a month',
  lastYear: 'Changed within a year',
  everywhere: 'Everywhere',
  results: 'Results',
  recentQueries: 'Recent searches',
  recentPages: 'Recently read pages',
  forget: 'Clear history',
  nothingYet: 'Type what you are looking for.',
  nothingFound: (q) => `No page matches “${q}”`,
  nothingFoundHint: 'Try fewer or other words.',
  searchEverywhere: 'Search without filters',
  didYouMean: 'Did you mean:',
  relaxed: 'No page has all of the words; these have some of them, or similar ones.',
  offline: 'The server cannot be reached',
  offlineHint: 'Check your network connection. The search is tried again once it is back.',
  unavailable: 'Search is not available',
  unavailableHint: 'Try again in a moment, and tell an administrator if it lasts. Pages can still be read.',
  retry: 'Search again',
  searching: 'Searching',
  count: (pages) =>
    pages === 0 ? 'No matching page' : pages === 1 ? '1 page found' : `${pages} pages found`,
  all: 'See all results',
  ask: 'Ask a question',
  askHint: 'Answered with sources, by the model your company chose',
  rewritten: (queries) => `In other words: ${queries.join(' / ')}`,
  rewrittenHint: 'Only your words were sent, to the model your company chose',
  move: 'select',
  follow: 'open',
  newTab: 'open in a new tab',
  pageTitle: 'Search',
  pageTitleFor: (q) => `Results for “${q}”`,
  submit: 'Search',
  page: 'Page',
  obsolete: 'Obsolete',
}

/** Everything a reader of the search sees. */
export const TEXTS = process.env.PAGE_LANGUAGE === 'ja' ? JAPANESE : ENGLISH

export const AREAS: readonly (readonly [area: Area | null, name: string])[] = [
  [null, TEXTS.everywhere],
  ['docs', 'Docs'],
  ['knowledge', 'Knowledge'],
  ['blog', 'Blog'],
]

/** Place of a found page in the site; obsolete pages say so first. */
export const wayOf = ({ kind, breadcrumbs, status }: FoundPage): string =>
  [...(status?.obsolete === true ? [TEXTS.obsolete] : []), areaName(kind), ...breadcrumbs].join(' › ')

/** Display name of a page's category. */
export function areaName(kind: string): string {
  return AREAS.find(([area]) => area === kind)?.[1] ?? TEXTS.page
}

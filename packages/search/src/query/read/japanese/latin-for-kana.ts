import { HEARD } from '../../../query-constants.ts'
import type { Lexicon, LexiconWord } from '../words/lexicon.ts'
import { prominence } from '../words/lexicon.ts'

/** English spellings of consonants and vowels as Japanese hears them; a vowel may be silent or belong to an r. */
const CONSONANTS = readTable(
  'k:k c ck ch cc g:g gg gh s:s c ss th z:z s t:t tt d:d dd n:n nn h:h b:b v bb p:p pp m:m mm y:y r:r l rr ll w:w wh j:j g sh:sh s ' +
    'ch:ch t f:f ph ff',
)
const VOWELS = readTable(
  'a:a er u ar o i:i _ e y ee ea u:_ u e oo e:e a ai ea o:o _ e or au oa ai:i y ie igh ei:ay a ai',
)
const ROWS =
  ':アイウエオ k:カキクケコ g:ガギグゲゴ s:サ_スセソ sh:_シ___ z:ザ_ズゼゾ j:_ジ___ t:タ__テト ch:_チ___ d:ダ__デド n:ナニヌネノ h:ハヒ_ヘホ ' +
  'f:__フ__ b:バビブベボ p:パピプペポ m:マミムメモ y:ヤ_ユ_ヨ r:ラリルレロ w:ワ____'
const COMBINED =
  'キヤ:ka キユ:ku キヨ:ko ギユ:gu シヤ:sha シユ:shu シヨ:sho シエ:she ジヤ:ja ジユ:ju ジヨ:jo ジエ:je チヤ:cha チユ:chu チヨ:cho チエ:che ' +
  'フア:fa フイ:fi フエ:fe フオ:fo テイ:ti デイ:di トウ:tu ウエ:we ウイ:wi ウオ:wo ビユ:by ピユ:py ミユ:my リユ:ry'
/** Of folded katakana, one or two at a time. */
const SPELLINGS = new Map<string, readonly (readonly [letters: string, oddity: number])[]>([
  ...ROWS.split(' ').flatMap((row) => {
    const [consonant = '', kana = ''] = row.split(':')
    return ['a', 'i', 'u', 'e', 'o', 'ai', 'ei'].map((vowel) => {
      const written = kana['aiueo'.indexOf(vowel.charAt(0))] ?? ''
      return [written + (vowel.length > 1 ? 'イ' : ''), spell(consonant, vowel)] as const
    })
  }),
  ...COMBINED.split(' ').map((pair) => {
    const [kana = '', sound = ''] = pair.split(':')
    return [kana, spell(sound.slice(0, -1), sound.slice(-1).replace('y', 'u'))] as const
  }),
  ...[...readTable('ン:n m ng ツ:_ ts ル:l ll le re ru r lu クス:x キス:x ア:a er u ar o re')].map(
    ([kana, letters]) => [kana, letters.map((one, at) => [one, at] as const)] as const,
  ),
])

/** A word of the site that was heard, and how likely it was meant on the scale of misspelled words. */
interface HeardName {
  readonly word: LexiconWord
  readonly likelihood: number
}

/**
 * The site's word in Latin letters that katakana (folded) may spell by ear: ドツカ is docker. Follows the lexicon letter by
 * letter, so that only what begins some word of the site is spelled on. Null when it spells none.
 */
export function latinForKana(kana: string, lexicon: Lexicon): HeardName | null {
  if (kana.length < HEARD.minKana || kana.length > HEARD.maxKana) return null
  const spelled = Array.from({ length: kana.length + 1 }, () => new Map<string, number>())
  spelled[0]?.set('', 0)
  for (let at = 0; at < kana.length; at += 1)
    for (const length of [1, 2]) {
      const reached = spelled[at + length]
      for (const [letters, oddity] of SPELLINGS.get(kana.slice(at, at + length)) ?? [])
        for (const [before, sum] of spelled[at] ?? []) {
          const [spelling, total] = [before + letters, sum + oddity]
          if (reached === undefined || total > (reached.get(spelling) ?? HEARD.maxOddity * kana.length))
            continue
          if (reached.has(spelling) || spelling === '' || lexicon.hasPrefix(spelling))
            reached.set(spelling, total)
        }
    }
  const heard = [...(spelled[kana.length] ?? [])].flatMap(([spelling, oddity]) => {
    const word = spelling.length < HEARD.minLetters ? null : lexicon.find(spelling)
    return word === null ? [] : [{ word, likelihood: Math.log2(1 + prominence(word)) - oddity }]
  })
  return heard.toSorted((a, b) => b.likelihood - a.likelihood)[0] ?? null
}

/** The likeliest spellings of a sound come first; each further one is odder by one. */
function spell(consonant: string, vowel: string): [letters: string, oddity: number][] {
  const spelled = (CONSONANTS.get(consonant) ?? ['']).flatMap((first, at) =>
    (VOWELS.get(vowel) ?? [])
      .filter((second) => !(first === 'c' && consonant === 's' && !/^[eiy]/.test(second)))
      .filter((second) => first !== '' || second !== '')
      .map((second, also): [string, number] => [first + second, at + also]),
  )
  return [...new Map(spelled.toReversed())]
}

/** `k:k c ck g:g`: what stands before a colon is what those up to the next are for; `_` is nothing. */
function readTable(table: string): Map<string, readonly string[]> {
  const rows = new Map<string, string[]>()
  let row: string[] = []
  for (const entry of table.split(' ')) {
    const [key = '', first] = entry.split(':')
    if (first !== undefined) {
      row = []
      rows.set(key, row)
    }
    row.push((first ?? key).replace('_', ''))
  }
  return rows
}

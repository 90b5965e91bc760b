import type { PartOfSpeech } from '../../format/parts-of-speech.ts'
import { HAN } from '../../text/characters.ts'
import { toKatakana } from '../../text/kana.ts'
import { normaliseWidth } from '../../text/normalise.ts'
import { ALTERNATIVE_READINGS, TECHNICAL_WORDS } from '../words/technical-words.ts'
import type { SiteWord } from '../words/vocabulary.ts'
import { createAnalyser, type Morpheme } from './analyser.ts'

/** A word of the site and how it is read (katakana; empty when unknown). */
export interface ReadWord {
  readonly surface: string
  readonly reading: string
  readonly part: PartOfSpeech
  /** Of a compound, its words joined by spaces; empty for a single word. */
  readonly parts: string
}

/** Analyses of phrases. A site repeats itself, so each is analysed once: an eighth of the text at 1,000 pages. */
export interface PhraseMemory {
  get(phrase: string): readonly ReadWord[] | undefined
  /** Returns the words as they are remembered. */
  set(phrase: string, words: readonly ReadWord[]): readonly ReadWord[]
}

const STEM_ENDINGS = 'いきぎしちみりびけえめれべげせ'
/** The second verb of a compound may be in kana, too (折りたたみ, 取りあつかい); after し it is most often する. */
const COMPOUND_TAIL = `[${STEM_ENDINGS.replace('し', '')}][ぁ-ん]{0,4}`
const PHRASE = new RegExp(
  `[${HAN}]+(?:[${STEM_ENDINGS}]{1,2}[${HAN}]+)*(?:${COMPOUND_TAIL}|[ぁ-ん]{0,3})`,
  'gu',
)
const MAX_PHRASE = 40
const MAX_COMPOUND = 5
const MAX_READINGS = 4

/** The stretches of a text that need the analyser: those with Chinese characters, cut after their inflection. */
export function phrasesIn(text: string): string[] {
  return text.match(PHRASE) ?? []
}

/** Returns a function that gives the words of a phrase, compounds included. The dictionary is loaded for the first new one. */
export function createPhraseReader(words: readonly SiteWord[], memory: PhraseMemory) {
  let analyser: ReturnType<typeof createAnalyser> | undefined
  const readings = new Map([
    ...Object.entries(TECHNICAL_WORDS),
    ...words.map(({ name, reading }) => [normaliseWidth(name), toKatakana(reading)] as const),
  ])
  const known = knownWords([...readings.keys()])
  return (phrase: string): readonly ReadWord[] => {
    const remembered = memory.get(phrase)
    if (remembered !== undefined) return remembered
    return memory.set(phrase, wordsOf(morphemesOf(phrase.slice(0, MAX_PHRASE))))
  }

  function analyse(piece: string): Morpheme[] {
    analyser ??= createAnalyser()
    return analyser(piece)
  }

  function morphemesOf(phrase: string): Morpheme[] {
    return phrase
      .split(known)
      .filter((piece) => piece !== '')
      .flatMap((piece): Morpheme[] => {
        const reading = readings.get(piece)
        return reading === undefined
          ? analyse(piece)
          : [{ surface: piece, reading, kind: 'noun', part: 'thing' }]
      })
  }
}

/** A one-character word stands only between other scripts; inside a compound the analyser knows better. */
function knownWords(words: readonly string[]): RegExp {
  const longestFirst = [...words].sort((a, b) => b.length - a.length)
  const alternatives = longestFirst.map((word) =>
    word.length === 1 ? `(?<![${HAN}])${word}(?![${HAN}])` : RegExp.escape(word),
  )
  return new RegExp(`(${alternatives.join('|')})`, 'u')
}

function wordsOf(morphemes: readonly Morpheme[]): ReadWord[] {
  const words: ReadWord[] = []
  morphemes.forEach((first, start) => {
    if (first.kind === 'verb') words.push(...readWords([first]))
    if (first.kind !== 'noun' && first.kind !== 'prefix') return
    for (let end = start + 1; end <= Math.min(morphemes.length, start + MAX_COMPOUND); end += 1) {
      const parts = morphemes.slice(start, end)
      const last = parts.at(-1)
      if (last === undefined || last.kind === 'other' || (last.kind === 'verb' && parts.length < 2)) break
      if (last.kind !== 'prefix') words.push(...readWords(parts))
      if (last.kind === 'verb') break
    }
  })
  return words
}

function readWords(parts: readonly Morpheme[]): ReadWord[] {
  const surface = parts.map((part) => part.surface).join('')
  const [first] = parts
  const word = (reading: string): ReadWord => ({
    surface,
    reading,
    part: first?.part ?? 'thing',
    parts: parts.length === 1 ? '' : parts.map((part) => part.surface).join(' '),
  })
  const whole = ALTERNATIVE_READINGS.get(surface)
  if (whole !== undefined) return whole.map(word)
  let readings = ['']
  for (const part of parts) {
    const choices =
      parts.length === 1 ? [part.reading] : (ALTERNATIVE_READINGS.get(part.surface) ?? [part.reading])
    if (choices.includes('')) return [word('')]
    readings = readings.flatMap((before) => choices.map((choice) => before + choice)).slice(0, MAX_READINGS)
  }
  return readings.map(word)
}

import { ASKING, JAPANESE } from '../../../query-constants.ts'
import { hasHan, hasJapanese, isHiragana, isKatakana } from '../../../text/characters.ts'
import { foldKatakana } from '../../../text/kana.ts'
import { okuriganaSkeleton } from '../../../text/okurigana.ts'
import {
  type Alternative,
  type Group,
  japaneseAlternative,
  kanjiWord,
  katakanaWord,
  namesAlternative,
  phrase,
  skeletonAlternative,
  type Unit,
} from '../terms/alternative.ts'
import type { Atom } from '../terms/atoms.ts'
import type { Reader } from '../terms/reader.ts'
import { synonymsOf } from '../terms/synonyms.ts'
import { informativeness, oneOf, wordUnits } from '../terms/units.ts'
import { ASKING_WORDS, isDispensable } from '../words/asking-words.ts'
import type { LexiconWord } from '../words/lexicon.ts'
import { type Segment, segmentRun } from '../words/segment.ts'
import { innerKanaGroups, kanaGroups } from './kana-groups.ts'
import { repairKanji } from './repair-kanji.ts'
import { katakanaScraps, type RepairedSegment, repairKatakana } from './repair-katakana.ts'
import { markedAsStem } from './typed-stem.ts'

const STRANGE_KANA = /[ぁ-ん][^はがのをにでともへやばてたかうくすつるむぬいしれきりらけせ]$/u

/** Reads a Japanese run of the query into groups. */
export function japaneseGroups(atom: Atom, reader: Reader): Group[] {
  const run = foldKatakana(atom.text).slice(0, JAPANESE.maxRun)
  if (isHiragana(run)) return kanaGroups(run, atom.last, reader)
  const repaired = repairKanji(repairKatakana(segmentRun(run, reader.lexicon), reader), reader)
  const segments = joinStrangers(repaired, reader)
  const groups = segments.flatMap((segment, at) => {
    const own = segmentGroups(segment, { first: at === 0, next: segments[at + 1] }, reader)
    return isCondition(segments, at) ? own.map(asCondition) : own
  })
  const [only] = groups
  if (only === undefined) return [wholeRun(run, [])]
  reader.guesses.push(...strangers(segments, reader), ...katakanaScraps(segments, atom.last, reader))
  if (groups.length === 1) {
    const isKanji = /^\p{Script=Han}$/u.test(run)
    const alternatives = isKanji ? [...kanjiWord(run), ...only.alternatives.slice(1)] : only.alternatives
    return [{ ...only, alternatives, optional: ASKING_WORDS.has(only.label) }]
  }
  return segments.length <= JAPANESE.maxWholeSegments ? [wholeRun(run, groups)] : groups
}

const CASE_PARTICLE = /^[をがにも]$/
const CONDITION = /(?:[ただ]ら|れば|[たるいう]とき|なら)/
const AS_CASE = /[ただるいう]$/
const CASES: ReadonlySet<string> = new Set(['場合', '時', '際'])

/** Tells if a predicate states the condition for the rest (脆弱性を|発見|したら, 端末を|紛失し|た|場合). */
function isCondition(segments: readonly RepairedSegment[], at: number): boolean {
  const [particle, predicate, ending, last] = segments.slice(Math.max(0, at - 1), at + 3)
  if (at < 2 || predicate?.kind === 'kana' || ending?.kind !== 'kana') return false
  if (particle?.kind !== 'kana' || !CASE_PARTICLE.test(particle.text)) return false
  return CONDITION.test(ending.text) || (AS_CASE.test(ending.text) && CASES.has(last?.text ?? ''))
}

/** The noun before a condition decides. Its verb ranks a little, excludes no page, and stands for no other word (見つける is no 検索). */
const asCondition = (group: Group): Group => ({
  ...group,
  alternatives: group.alternatives.filter(({ isSynonym }) => isSynonym !== true),
  optional: true,
  weight: (group.weight ?? 1) * JAPANESE.conditionWeight,
  units: (group.units ?? []).slice(0, 1).map((unit) => unit.slice(0, 1)),
})

/** Single characters that nothing on the site stands beside as they do here (国会議員): parts of a word that it does not have. */
function strangers(segments: readonly Segment[], reader: Reader): string[] {
  return segments.flatMap(({ text }, at) => {
    if (!/^\p{Script=Han}$/u.test(text) || isDispensable(text)) return []
    const pairs = [
      neighbour(segments[at - 1], (word) => word.slice(-1) + text),
      neighbour(segments[at + 1], (word) => text + word.slice(0, 1)),
    ].flat()
    const isKnown = pairs.length === 0 || pairs.some((pair) => reader.exists(phrase([pair])))
    return isKnown ? [] : [text]
  })
}

/** Kana that no grammar ends in, in front of a character that nothing on the site has after them (たこ焼き): one word, which it lacks. */
function joinStrangers(segments: readonly RepairedSegment[], reader: Reader): readonly RepairedSegment[] {
  const [kana, word, ...others] = segments
  if (kana?.kind !== 'kana' || word === undefined || !STRANGE_KANA.test(kana.text)) return segments
  if (!/^\p{Script=Han}[ぁ-ん]*$/u.test(word.text)) return segments
  if (reader.exists(phrase([kana.text.slice(-1) + word.text.slice(0, 1)]))) return segments
  return [{ text: kana.text + word.text, kind: 'unknown', word: null }, ...others]
}

/** Kana between words keep them apart; a word, or a character beside this one, may belong to it. */
function neighbour(segment: Segment | undefined, pair: (text: string) => string): string[] {
  return segment === undefined || segment.kind === 'kana' || !hasHan(segment.text) ? [] : [pair(segment.text)]
}

function wholeRun(run: string, parts: readonly Group[]): Group {
  const optional = parts.length > 0 && parts.every((part) => part.optional)
  const pages = parts.length === 0 ? 0 : Math.min(...parts.map((part) => part.pages))
  const whole = japaneseAlternative(run, 1)
  const isLong = parts.length > 0 && run.length > JAPANESE.maxWholePhrase
  return { label: run, alternatives: [isLong ? { ...whole, match: '' } : whole], parts, optional, pages }
}

function segmentGroups(
  segment: RepairedSegment,
  { first, next }: { readonly first: boolean; readonly next: Segment | undefined },
  reader: Reader,
): Group[] {
  if (segment.kind === 'kana') return innerKanaGroups(segment.text, first, reader)
  const group = markedAsStem(wordGroup(segment, reader), next, reader)
  const others = segment.others?.map((key, at) => japaneseAlternative(key, 0.7 - at * 0.2)) ?? []
  return [{ ...group, alternatives: [...group.alternatives, ...others] }]
}

function wordGroup({ text, word }: Segment, reader: Reader): Group {
  const alternatives: Alternative[] = [...writings(text, word, reader), ...skeletons(text, reader)]
  const synonyms = synonymsOf(text, reader, word?.pages ?? 0)
  alternatives.push(...synonyms.alternatives)
  const isFrame = ASKING_WORDS.has(text)
  const parts = word !== null && word.pages > JAPANESE.commonPages ? [] : compoundParts(text, word, reader)
  return {
    label: text,
    alternatives,
    parts,
    isWord: word !== null,
    optional: isDispensable(text),
    pages: word?.pages ?? 0,
    weight: isFrame ? ASKING.weight : word === null ? 1 : informativeness(word),
    units: isDispensable(text) ? [] : unitsOf(text, word, parts, synonyms.unit),
  }
}

/** Alternatives of a word; unknown ones may be the beginning of a word. */
const writings = (text: string, word: LexiconWord | null, { lexicon }: Reader): Alternative[] =>
  !hasJapanese(text)
    ? [namesAlternative([text], 1, 'word')]
    : isKatakana(text) && word !== null
      ? katakanaWord(text, lexicon)
      : [japaneseAlternative(text, 1)]

/** A compound is looked for by its parts, which carry their own units when they are groups, and by its synonyms. */
function unitsOf(
  text: string,
  word: LexiconWord | null,
  parts: readonly Group[],
  synonyms: Unit,
): readonly Unit[] {
  if (parts.length > 0) {
    const own = isKatakana(text) ? oneOf([{ key: text, weight: 1 }]) : []
    return own.length + synonyms.length > 0 ? [[...own, ...synonyms]] : []
  }
  const [first = [], ...others] = wordUnits(text, word)
  return others.length === 0
    ? [[...first, ...synonyms]]
    : [first, ...others, ...(synonyms.length > 0 ? [synonyms] : [])]
}

function skeletons(text: string, reader: Reader): Alternative[] {
  const skeleton = okuriganaSkeleton(text)
  const length = Array.from(skeleton).length
  if (length < 2 || isKatakana(skeleton) || !/^\p{Script=Han}+$/u.test(skeleton)) return []
  if (skeleton !== text) return [skeletonAlternative(skeleton, 0.9), japaneseAlternative(skeleton, 0.85)]
  const alternative = skeletonAlternative(skeleton, 0.9)
  return length <= JAPANESE.maxSkeleton && reader.exists(alternative.match) ? [alternative] : []
}

function compoundParts(text: string, word: LexiconWord | null, reader: Reader): Group[] {
  const length = Array.from(text).length
  if (length < JAPANESE.minCompound) return []
  const inner = segmentRun(text, reader.lexicon, length - 1)
  const least = isKatakana(text) && word !== null ? JAPANESE.minKatakanaPart : 2
  const isSound =
    inner.length > 1 && inner.every((part) => part.kind === 'word' && Array.from(part.text).length >= least)
  if (!isSound) return []
  return inner.map(({ text: part, word: known }) => {
    const synonyms = synonymsOf(part, reader, known?.pages ?? 0)
    return {
      label: part,
      alternatives: [...writings(part, known, reader), ...skeletons(part, reader), ...synonyms.alternatives],
      parts: [],
      optional: false,
      pages: known?.pages ?? 0,
      weight: known === null ? 1 : informativeness(known),
      units: unitsOf(part, known, [], synonyms.unit),
    }
  })
}

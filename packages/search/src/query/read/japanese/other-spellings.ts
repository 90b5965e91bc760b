import { OTHER_SPELLINGS } from '../../../query-constants.ts'
import { hasHan, isKatakana } from '../../../text/characters.ts'
import { looseReading } from '../../../text/kana.ts'
import { type Alternative, japaneseAlternative } from '../terms/alternative.ts'
import type { Reader } from '../terms/reader.ts'
import type { LexiconWord } from '../words/lexicon.ts'

const STEM_ENDINGS = [...'りきみしいちえけめれせてび']
const COMPOUND = /^(\p{Script=Han})([ぁ-ん]{0,2})(\p{Script=Han})([ぁ-ん]{0,2})$/u
/** Reading of a compound verb's second half without its ending: the half often written in kana. */
const SPOKEN = new Map(
  (
    '畳たた 込こ 出だ 合あわ 合あ 替か 換か 変か 上あ 下さ 付つ 付づ 消け 当あ 返かえ 戻もど 直なお 落お 落おと 抜ぬ 取と 入い 切き ' +
    '掛か 立た 建た 分わ 外はず 止と 止ど 続つづ 始はじ 終お 方かた 継つ 越こ 回まわ 組く 違ちが 過す 置お 積つ 巻ま 散ち 寄よ 渡わた ' +
    '残のこ 張は 貼は 通とお 抑おさ 除のぞ 括くく 並なら 決き 開ひら 閉と 引ひ 振ふ 舞ま 持も 届とど 扱あつか 伸の 縮ちぢ 混ま 崩くず 揃そろ'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)] as const)
    .reduce(
      (spoken, [kanji, kana]) => spoken.set(kanji, [...(spoken.get(kanji) ?? []), kana]),
      new Map<string, string[]>(),
    ),
)

/** Other spellings of a word on the site: as it is read, with its second half in kana, with other long vowels. */
export function otherSpellings(text: string, word: LexiconWord | null, reader: Reader): Alternative[] {
  if (isKatakana(text)) return alternatives(text, looselyRead(text, reader))
  if (!hasHan(text) || Array.from(text).length < 2) return []
  const same = alternatives(text, readTheSame(text, word, reader))
  return same.length > 0 || (word?.pages ?? 0) >= OTHER_SPELLINGS.fewPages ? same : halfInKana(text, reader)
}

function alternatives(text: string, words: readonly LexiconWord[]): Alternative[] {
  const keys = new Set(words.map(({ key }) => key).filter((key) => key !== text))
  return [...keys]
    .slice(0, OTHER_SPELLINGS.maxSpellings)
    .map((key) => japaneseAlternative(key, OTHER_SPELLINGS.weight))
}

const looselyRead = (text: string, { lexicon }: Reader): LexiconWord[] =>
  lexicon.readLooselyAs(looseReading(text)).filter(({ key }) => isKatakana(key))

/** 使いかた is also 使い方. A word found by its kanji alone (折畳) is read as it is displayed. */
function readTheSame(text: string, word: LexiconWord | null, { lexicon }: Reader): LexiconWord[] {
  if (word === null || !/[ぁ-ん]/u.test(text)) return []
  const reading = word.reading === '' ? (lexicon.find(word.display)?.reading ?? '') : word.reading
  return reading === '' ? [] : lexicon.readAs(reading).filter(({ key }) => key[0] === text[0])
}

/** Tells if neighbouring segments (折り, 畳み) are halves of a verb that the site writes as one, with its second half in kana. */
export const areHalves = (first: string, second: string, reader: Reader): boolean =>
  COMPOUND.test(first + second) && halfInKana(first + second, reader).length > 0

/** 折畳み is also 折りたたみ, where the site writes it so; the kana of the first half may be left out, too. */
function halfInKana(text: string, { exists }: Reader): Alternative[] {
  const [, first = '', kana = '', second = '', ending = ''] = COMPOUND.exec(text) ?? []
  const spoken = SPOKEN.get(second) ?? []
  const stems = kana === '' ? STEM_ENDINGS : [kana]
  return stems
    .flatMap((stem) =>
      spoken.map((half) => japaneseAlternative(first + stem + half + ending, OTHER_SPELLINGS.weight)),
    )
    .filter(({ match }) => exists(match))
    .slice(0, OTHER_SPELLINGS.maxSpellings)
}

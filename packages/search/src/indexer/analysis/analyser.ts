import { TokenizerBuilder } from 'lindera-wasm-nodejs-ipadic'
import type { PartOfSpeech } from '../../format/parts-of-speech.ts'
import { hasHan } from '../../text/characters.ts'

/** One word of the analyser's output. `reading` is katakana, empty where the dictionary has none. */
export interface Morpheme {
  readonly surface: string
  readonly reading: string
  readonly kind: 'noun' | 'prefix' | 'suffix' | 'verb' | 'other'
  readonly part: PartOfSpeech
}

const NOT_CONTENT: ReadonlySet<string> = new Set(['非自立', '代名詞', '数', '特殊'])

/** Loads IPADIC (about 0.4 s) and returns a function that cuts a phrase into words with readings. */
export function createAnalyser(): (phrase: string) => Morpheme[] {
  const builder = new TokenizerBuilder()
  builder.setDictionary('embedded://ipadic')
  builder.setMode('normal')
  builder.setKeepWhitespace(false)
  const tokenizer = builder.build()
  return (phrase) => readTokens(tokenizer.tokenize(phrase))
}

function readTokens(tokens: unknown): Morpheme[] {
  return Array.isArray(tokens) ? tokens.map(readToken) : []
}

function readToken(token: unknown): Morpheme {
  const text = (name: string): string => String(Reflect.get(Object(token), name) ?? '')
  const [surface, reading] = [text('surface'), text('reading')]
  return {
    surface,
    reading: reading === '*' ? '' : reading,
    kind: kindOf(surface, text('partOfSpeech'), text('partOfSpeechSubcategory1')),
    part: partOf(text('partOfSpeech'), text('partOfSpeechSubcategory1')),
  }
}

function kindOf(surface: string, part: string, detail: string): Morpheme['kind'] {
  if (part === '接頭詞') return 'prefix'
  // する and its forms inflect the noun before them; only verbs written with kanji are words here.
  if (part === '動詞' || part === '形容詞') return detail === '自立' && hasHan(surface) ? 'verb' : 'other'
  if (part !== '名詞' || NOT_CONTENT.has(detail)) return 'other'
  return detail === '接尾' ? 'suffix' : 'noun'
}

function partOf(part: string, detail: string): PartOfSpeech {
  if (part === '動詞') return 'verb'
  if (part === '形容詞' || detail === '形容動詞語幹' || detail === 'ナイ形容詞語幹') return 'quality'
  if (detail === '副詞可能') return 'passing'
  return detail === 'サ変接続' ? 'action' : 'thing'
}

/**
 * Every number that shapes a search, by the step that uses it, with what it was set by: a page of decisions/, which names the
 * queries. A limit set by cost keeps any query bounded and moves no labelled query.
 */

/** Set by: 050, cost; the shares of a question: 053, coverage: 053. */
export const ENGINE = {
  defaultLimit: 10,
  maxLimit: 50,
  minCandidates: 24,
  maxReadPages: 12,
  maxSections: 3,
  /** Of so many sections those are shown that have a mark. */
  maxLookedSections: 6,
  maxCorrections: 2,
  /** A part of a question with less of its weight may be missing. */
  minShare: 0.08,
  minCoverage: 0.5,
} as const

/** Set by: limits: cost (050); what a question is: 053. */
export const PLAN = {
  maxRequired: 4,
  /** Expected pages of a group that the lexicon does not know. */
  rare: 20,
  maxAtoms: 24,
  questionGroups: 3,
  minInformative: 0.2,
} as const

/** Set by: 053, own questions. */
export const ASKING = {
  /** Weight of an interrogative word. */
  weight: 0.1,
} as const

/** Set by: 051; searched on half of the development queries (052), katakana: 113. */
export const ALTERNATIVE = {
  insideWeight: 0.5,
  /** So short that it begins or ends other words. */
  shortKatakana: 2,
} as const

/** Set by: 053, half of the own questions. */
export const UNITS = {
  /** Weight of a word by its kind. */
  partWeights: { thing: 1, action: 0.9, quality: 0.6, verb: 0.7, passing: 0.35, name: 1 },
  /** A word that pages mention and none is about (面倒, 聞かれる) tells less than its rarity says. */
  incidental: 0.6,
  topicalShare: 0.1,
} as const

/** Set by: limits: cost (050); weights and compounds: 051 and 113. */
export const JAPANESE = {
  maxRun: 48,
  /** A longer phrase costs the store more than its parts do, and finds the same pages. */
  maxWholePhrase: 8,
  maxWholeSegments: 6,
  /** A compound this common need not be looked for in pieces. */
  commonPages: 60,
  maxSkeleton: 3,
  minCompound: 3,
  /** ログアウト is no ログ; サーバーコンポーネント is a コンポーネント. */
  minKatakanaPart: 3,
  /** Of the predicate that says when the rest is needed; `eval/noun-and-verb-tuned.json`. */
  conditionWeight: 0.3,
} as const

/** Set by: 051, generated readings (052). */
export const KANA = {
  literalWeight: 0.8,
  maxWords: 5,
  minInner: 3,
  minProminence: 10,
} as const

/** Set by: 051, generated readings (052). */
export const READINGS = {
  maxReading: 16,
  minReading: 2,
  /** Most kana spell some sequence of words as short as this. */
  shortReading: 2,
  /** Prominence from which a word is one that readers of the site know. */
  common: 10,
  exactBonus: 3,
} as const

/** Set by: 113. */
export const KANJI_REPAIR = {
  length: { min: 3, max: 8 },
} as const

/** Set by: 113. */
export const KATAKANA_REPAIR = {
  /** Katakana words as short as this are often scraps of a misspelled longer one. */
  scrapLength: 2,
  /** A name in Latin letters may read as words as short as this (ウェブ, パック); longer ones are meant. */
  maxPiece: 5,
} as const

/** Set by: limits: cost; sentences and fragments: 053, pasted messages. */
export const LATIN = {
  maxJoined: 4,
  maxSequence: 16,
  sentenceWords: 3,
  fragmentWords: 3,
  maxFragments: 12,
  maxInformative: 8,
  glossWeight: 0.8,
} as const

/** Set by: 051 and 053, half of the development queries and own queries. */
export const NAME = {
  glossWeight: 0.8,
  /** On a Japanese site, who asks in English is answered by the Japanese word rather than by a name in code. */
  japaneseWeight: 1.2,
  partWeight: 0.5,
  maxCompletions: 6,
  /** A name that the site writes this often is not asked for in Japanese. */
  commonPages: 250,
  numberWeight: 0.1,
  maxForms: 2,
  minPrefix: 2,
  muchMoreCommon: 5,
  fewPages: 3,
  maxRomajiWords: 2,
} as const

/** Set by: 051, generated romaji (052). */
export const ROMAJI_LIMITS = {
  minRomaji: 4,
  maxRomaji: 40,
} as const

/** Set by: 113, names of the field. */
export const HEARD = {
  /** Shorter ones spell too many words. */
  minKana: 3,
  minLetters: 3,
  maxKana: 12,
  /** So odd may each kana be spelled on the average. */
  maxOddity: 1.6,
} as const

/** Set by: 113. */
export const OPERATORS = {
  maxOperators: 4,
  /** Among Japanese words, a flag is written with its hyphen on one in so many of the pages that have its name. */
  minFlagShare: 8,
  /** Quotes and hyphens in a pasted message are the message's own. */
  messageWords: 5,
} as const

/** Set by: `eval/pasted-lines-tuned.json`. */
export const PASTED = {
  /** With fewer words left there is no message, but a path or an address that was asked for. */
  minWords: 2,
} as const

/** Set by: 050, cost. */
export const LEXICON = {
  maxWords: 8,
  /** Longer ones are half a sentence, and the longer a phrase, the more of the store it reads. */
  maxGloss: 12,
  /** Answers of each kind that are kept in memory. */
  maxRemembered: 4_000,
} as const

/** Set by: 051 and 113, generated mistakes (052). */
export const SPELLING = {
  maxSuggestions: 3,
  letterBits: 31,
  minLength: 4,
  /** Katakana is compared without its long vowels: クロージャ has four letters. A short one keeps its first. */
  minKatakana: 3,
  maxLength: 32,
  minLengthForTwo: 8,
} as const

/** Set by: 051, generated queries (052). */
export const SEGMENT = {
  maxWord: 14,
  cost: { word: 1, character: 2.2, unknown: 3, kana: 0.6 },
} as const

/** Set by: 053, own synonyms. */
export const SYNONYMS = {
  maxSynonyms: 6,
  maxAlternatives: 5,
  maxSearched: 3,
  /** A word the site itself uses this much is what its reader means: others only help to rank. */
  commonPages: 60,
  commonWeight: 0.5,
} as const

/** Set by: 250, the open half of all questions. */
export const EVERYDAY = {
  /** A phrase half as like a query counts an eighth. */
  power: 3,
  /** From so much on, what a subject is called is shown as what was found; by hand. */
  shown: 0.3,
  maxSubjects: 20,
  /** Rarity of a word outside all phrases. */
  unknownRarity: 5.4,
  /** Weight of a certain subject beside a typed word. */
  weight: 8,
  /** A word that no page has would tell as much of the question as so much of the rarest. */
  unknownShare: 0.7,
} as const

/** Set by: 290; how many are read: cost. */
export const NEAREST = {
  /** Pages that join those found by words. */
  pages: 40,
  /** Pages of which the vectors are read, and of how many it is asked for so many whether they may be found. */
  readPages: 100,
  maxAsked: 2_000,
} as const

/** Set by: 053, own questions; how many pages: 85 % of the right ones among 60. */
export const RETRIEVAL = {
  fewHits: 3,
  looseCandidates: 40,
  /** Beside pages with all of a few words, so many that are most about them. */
  besideStrict: 20,
  looseRelevance: 0.5,
  fragmentPages: 20,
} as const

/** Set by: 050, cost. */
export const STORE = {
  maxCandidates: 60,
  maxCounted: 1_000,
} as const

/** Set by: 053, cost. */
export const POSTINGS = {
  /** Beyond this a query has said what it is about. */
  maxUnits: 16,
} as const

/** Set by: 053, own questions. */
export const EXPRESSION = {
  /** More words than this are told apart and not typed as one. */
  maxWholes: 1,
} as const

/** For names and words, all of which a page should have. */
const WORD_WEIGHTS = {
  title: 4.5,
  titleFit: 1.5,
  titleWhole: 2,
  heading: 0.8,
  names: 0.8,
  relevance: 2.25,
  qualified: 6,
  fragment: 0,
  reference: -9,
  likeness: 2,
  section: 1.2,
  frequency: 2,
  row: 2,
  foreign: -9,
} as const

/** Set by: 052 and 053: fitted on one half of the questions, measured on the other; `reference`: 291, `row`: 291, `likeness`: 290, of questions by one half of those in English, of words by hand; `foreign`: 291, by hand. */
export const RANK = {
  wordWeights: WORD_WEIGHTS,
  /** For words in English and messages, whose titles say less than all of their words together; by `given`, held out on `own` (052). */
  severalWordsWeights: { ...WORD_WEIGHTS, relevance: 1.5 * WORD_WEIGHTS.relevance },
  /** For questions, of which a page has some: what the store says of all words together counts most. */
  questionWeights: {
    title: 3,
    titleFit: 1.5,
    titleWhole: 2,
    heading: 0.4,
    names: 0.8,
    relevance: 12,
    qualified: 6,
    fragment: 11,
    reference: -6,
    likeness: 12,
    section: 2.4,
    frequency: 1,
    row: 2,
    foreign: -6,
  },
  /** A name alone is also words, which the address of a page may have by the way. `scoped enum` needs .66. */
  singleName: 0.7,
} as const

/** Set by: 052, half of the development queries. */
export const MATCHER = {
  partsWeight: 0.75,
  optionalWeight: 0.25,
} as const

/** Set by: 052, half of the development queries. */
export const SECTION = {
  maxCounted: 16,
  manyInSection: 6,
  /** A group with less of the query's weight does not tell what the page is about. */
  minShare: 0.15,
  /** `trouble`: 205, by hand. */
  weights: { text: 1, heading: 0.6, whole: 0.5, often: 0.3, trouble: 0.8 },
} as const

/** Set by: 291, 9,761 pages. */
export const LANGUAGE = {
  minKanaShare: 0.01,
} as const

/** Set by: 053, 56 queries from everyday life. */
export const COVERAGE = {
  /** Asking words and characters that lean on others say nothing of what is asked for. */
  minInformative: 0.2,
  /** A word on fewer pages stands there by the way, and counts where it is in the text. */
  usualPages: 3,
  /** Length of katakana up to which unknown ones are pieces of other words. */
  pieceLength: 2,
  /** Weight of unknown words ending in kana: verbs, of which pages may have another form. */
  unknownVerbWeight: 0.4,
} as const

/** Set by: what fits three lines of the dialog. */
export const SNIPPET = {
  /** Of a word beyond what matched. */
  maxRest: 12,
  length: 140,
  lead: 30,
  maxFound: 200,
} as const

/** Set by: what fits a row of chips. */
export const CHOICES = {
  maxChoices: 8,
} as const

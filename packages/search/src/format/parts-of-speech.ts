/** Kinds of words in the lexicon; the index stores positions in this list. `passing` are times and places mentioned in passing. */
export const PARTS_OF_SPEECH = ['thing', 'action', 'quality', 'verb', 'passing', 'name'] as const

/** One of {@link PARTS_OF_SPEECH}. `name` is katakana and Latin, which the analyser does not read. */
export type PartOfSpeech = (typeof PARTS_OF_SPEECH)[number]

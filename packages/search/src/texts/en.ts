/** Texts on a site's search during its build; the other languages have the same codes and values. */
export const en = {
  /** Reasons an endpoint gave no vectors; each stands in brackets. */
  embeddings: {
    answered: (status: number) => `it answered ${status}`,
    refused: (page: string, said: string) => `it refused a text of ${page}: ${said}`,
    too_slow: 'it takes too long',
    unreachable: 'it cannot be reached',
    no_json: 'its answer is no JSON',
    other_vectors: 'its answer has not one vector for each text',
  },
  /** Errors of a team's own vocabulary. */
  vocabulary: {
    not_right: (where: string) => `The search vocabulary${where === '' ? '' : ` in ${where}`} is not right.`,
    not_an_object: 'it must be an object with words, synonyms and embeddings',
    unknown_key: (key: string) => `"${key}" is unknown; known are words, synonyms and embeddings`,
    words_list: (most: number) => `words must be a list of at most ${most} { name, reading }`,
    word: (at: number, length: number) =>
      `words[${at}] must be { name, reading }, texts of at most ${length} characters`,
    not_kana: (at: number, name: string, reading: string) =>
      `words[${at}]: the reading of ${name} must be in kana, not "${reading}"`,
    word_twice: (at: number, name: string) => `words[${at}]: ${name} is there twice`,
    synonyms_list: (most: number) =>
      `synonyms must be a list of at most ${most} groups such as ["議事録", "ミーティングメモ"]`,
    group: (at: number, most: number, length: number) =>
      `synonyms[${at}] must have 2 to ${most} words of at most ${length} characters`,
    group_twice: (at: number) => `synonyms[${at}] has a word twice`,
    embeddings:
      'embeddings must be { url, model }: an http or https address such as "https://ai.example.com/v1/embeddings", without a user or ' +
      'password, and the name of a model; queryPrefix and documentPrefix may be texts, maxCharacters a whole number from 100 to 100000',
  },
}

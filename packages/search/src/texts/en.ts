/** What is said of a site's search while it is built; the other languages have the same codes, with the same values. */
export const en = {
  /** Why an endpoint gave no vectors; each stands in brackets. */
  embeddings: {
    answered: (status: number) => `it answered ${status}`,
    too_slow: 'it takes too long',
    unreachable: 'it cannot be reached',
    no_json: 'its answer is no JSON',
    other_vectors: 'its answer has not one vector for each text',
  },
}

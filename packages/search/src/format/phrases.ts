/**
 * Everyday phrases with a feature, packed for the table `everyday`: 32 bits each, the phrase's number above, the feature's share of its
 * length below.
 */
const SHARE_BITS = 10
const MOST = 2 ** SHARE_BITS - 1

/** A phrase's number and the feature's share in it, from 0 to 1. */
export type PhraseShare = readonly [phrase: number, share: number]

/** Packs the phrases of a feature. */
export function packPhrases(shares: readonly PhraseShare[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(shares.length * 4))
  for (const [at, [phrase, share]] of shares.entries())
    bytes.setUint32(at * 4, phrase * 2 ** SHARE_BITS + Math.round(MOST * Math.min(1, share)), true)
  return new Uint8Array(bytes.buffer)
}

/** Calls back with every phrase of a feature. */
export function readPhrases(stored: unknown, onPhrase: (phrase: number, share: number) => void): void {
  if (!(stored instanceof Uint8Array)) return
  const bytes = new DataView(stored.buffer, stored.byteOffset, stored.byteLength)
  for (let at = 0; at < stored.byteLength; at += 4) {
    const entry = bytes.getUint32(at, true)
    onPhrase(Math.floor(entry / 2 ** SHARE_BITS), (entry % 2 ** SHARE_BITS) / MOST)
  }
}

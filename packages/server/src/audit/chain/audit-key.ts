import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { plainJson } from '../../storage/lines/plain-json.ts'
import type { ChainHead } from './audit-chain.ts'

/** End and kept beginning of a chain, as its writer signed them. */
export interface ChainNote {
  readonly chain: string
  readonly head: ChainHead
  /** The last line that was removed because it was older than it had to be kept; number 0 when none was. */
  readonly removed: ChainHead
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** The key that signs heads and exports of one data folder: Ed25519, used for nothing else. */
export interface AuditKey {
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** A key of its own, which no secret tells. */
export function createAuditKey(): AuditKey {
  return generateKeyPairSync('ed25519')
}

/** The key as text, to be sealed: PKCS #8 in PEM. */
export function writeKeyText({ privateKey }: AuditKey): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Reads what {@link writeKeyText} made. */
export function readKeyText(text: string): AuditKey {
  const privateKey = createPrivateKey(text)
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Reads the key, or makes it at the first start: a PEM file (PKCS #8) that only its owner can read. */
export function openAuditKey(file: string): AuditKey {
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      writeFileSync(descriptor, writeKeyText(createAuditKey()))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return readAuditKey(file)
}

/** Reads the key of a folder in which a gate ran; throws when there is none. */
export function readAuditKey(file: string): AuditKey {
  return readKeyText(readFileSync(file, 'utf8'))
}

/** Prefix of an Ed25519 key's 32 bytes in PKCS #8 (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key that gates on a database had from their secret, before it was kept there. */
export function deriveAuditKey(secret: string): AuditKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'sekisho audit heads v1', 32))
  const der = Buffer.concat([PKCS8_ED25519, seed])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** By which people compare public keys: SHA-256 of the SPKI form, base64url. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

/** A JSON object on one line that ends in its signature, which covers the object as it is without it. */
function signJson(value: Readonly<Record<string, unknown>>, { privateKey }: AuditKey): string {
  const text = plainJson(value)
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64url')
  return `${text.slice(0, -1)},"signature":"${signature}"}\n`
}

/** Reads what {@link signJson} made; null unless the signature is of this key. */
function readSignedJson(text: string, publicKey: KeyObject): Record<string, unknown> | null {
  const [, body, signature] = /^(\{.*),"signature":"([A-Za-z0-9_-]{86})"\}\n?$/.exec(text) ?? []
  if (body === undefined || signature === undefined) return null
  const signed = `${body}}`
  if (!verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'))) return null
  const value: unknown = JSON.parse(signed)
  return typeof value === 'object' && value !== null ? { ...value } : null
}

/** Signs where a chain ends. */
export function signNote({ chain, head, removed, at }: ChainNote, key: AuditKey): string {
  const json = {
    chain,
    seq: head.seq,
    hash: head.hash,
    removedSeq: removed.seq,
    removedHash: removed.hash,
    at,
  }
  return signJson(json, key)
}

/** Reads where a chain ended; null unless this key signed it. */
export function readNote(text: string, publicKey: KeyObject): ChainNote | null {
  const value = readSignedJson(text, publicKey)
  if (value === null) return null
  const { chain, seq, hash, removedSeq, removedHash, at } = value
  if (typeof chain !== 'string' || typeof seq !== 'number' || typeof hash !== 'string') return null
  if (typeof removedSeq !== 'number' || typeof removedHash !== 'string' || typeof at !== 'string') return null
  return { chain, head: { seq, hash }, removed: { seq: removedSeq, hash: removedHash }, at }
}

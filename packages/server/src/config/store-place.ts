import { isAbsolute } from 'node:path'
import type { Message } from '@sekisho/contract/language'
import type { S3Credentials, StorePlace } from '@sekisho/release'
import { problemOf } from '../texts/index.ts'
import type { Environment, ReadFile } from './settings.ts'

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
/** Nothing that a URL, a signature or a list could write in two ways. */
const PREFIX = /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/
const REGION = /^[a-z0-9-]{2,40}$/
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Store of releases from `SEKISHO_RELEASES`; null when unset. Errors are added to `problems`, and never hold a credential. Also for
 * commands without further settings.
 */
export function readStorePlace(env: Environment, readFile: ReadFile, problems: Message[]): StorePlace | null {
  const text = env.SEKISHO_RELEASES?.trim() ?? ''
  if (text === '') return null
  if (isAbsolute(text)) return { folder: text }
  const url = URL.parse(text)
  if (
    url?.protocol !== 's3:' ||
    url.username !== '' ||
    url.password !== '' ||
    url.port !== '' ||
    url.hash !== ''
  ) {
    problems.push(problemOf('bad_releases'))
    return null
  }
  // The URL parser repairs dot segments; here nothing is repaired.
  if (!text.startsWith(`s3://${url.host}${url.pathname}`)) problems.push(problemOf('bad_releases'))
  const path = url.pathname.replace(/^\//, '')
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const endpoint = URL.parse(url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  const others = [...url.searchParams.keys()].filter((name) => name !== 'endpoint' && name !== 'region')
  if (!BUCKET.test(url.host) || !PREFIX.test(prefix) || !REGION.test(region) || others.length > 0)
    problems.push(problemOf('bad_releases'))
  if (endpoint === null || !isSafe(endpoint)) {
    problems.push(problemOf('unsafe_endpoint'))
    return null
  }
  const credentials = () => readCredentials(env, readFile)
  if (credentials() === null) {
    problems.push(problemOf('no_bucket_key'))
  }
  const bucket = { endpoint, region, bucket: url.host, prefix, credentials: () => credentials() ?? NOBODY }
  return { bucket }
}

/** Files that vanish while the gate runs: the bucket refuses this, and its refusal is said. */
const NOBODY: S3Credentials = { accessKeyId: 'none', secretAccessKey: 'none' }

function isSafe({ protocol, hostname, search, username, pathname }: URL): boolean {
  const isPlain = search === '' && username === '' && pathname === '/'
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)))
}

function readCredentials(env: Environment, readFile: ReadFile): S3Credentials | null {
  const accessKeyId = readSecret('AWS_ACCESS_KEY_ID', env, readFile)
  const secretAccessKey = readSecret('AWS_SECRET_ACCESS_KEY', env, readFile)
  const sessionToken = readSecret('AWS_SESSION_TOKEN', env, readFile)
  if (accessKeyId === null || secretAccessKey === null) return null
  return { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) }
}

/** The text of a setting, or of the file that the setting `…_FILE` names; null when there is none. */
function readSecret(name: string, env: Environment, readFile: ReadFile): string | null {
  const file = env[`${name}_FILE`]?.trim() ?? ''
  try {
    return (file === '' ? env[name] : readFile(file))?.trim() || null
  } catch {
    return null
  }
}

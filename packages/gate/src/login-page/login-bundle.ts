import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
/** Every start compresses anew: level 11 takes 0.7 s of it to save 7 KB that a browser fetches once a year. */
const EFFORT = { [constants.BROTLI_PARAM_QUALITY]: 9 }

/** One built file of the login page, in memory. */
export interface LoginAsset {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly brotli: Uint8Array<ArrayBuffer>
}

/** What the login package's build left for the gate. */
export interface LoginBundle {
  readonly script: string
  readonly styles: readonly string[]
  readonly icon: string | null
  /** By path below `/__gate/login/`. */
  readonly assets: ReadonlyMap<string, LoginAsset>
}

/** The login page was not built, or its manifest is not one. */
export class LoginBundleError extends Error {
  override readonly name = 'LoginBundleError'
  readonly code = 'login_bundle_missing'
}

/** Where the login package's build leaves its manifest. */
const builtManifest = () => import.meta.resolve('@sekisho/login/login.json')

/** Reads the built login page; the names come from its own manifest, so a request path never names a file. */
export async function readLoginBundle(manifestUrl: string | URL = builtManifest()): Promise<LoginBundle> {
  const manifest = readManifest(manifestUrl)
  const assets = await Promise.all(
    manifest.files.map(async ({ path, type }) => {
      const plain = new Uint8Array(readFileSync(new URL(path, manifestUrl)))
      return [
        path,
        { type, plain, brotli: new Uint8Array(await compress(plain, { params: EFFORT })) },
      ] as const
    }),
  )
  return { ...manifest, assets: new Map(assets) }
}

interface LoginManifest {
  readonly script: string
  readonly styles: readonly string[]
  readonly icon: string | null
  readonly files: readonly { readonly path: string; readonly type: string }[]
}

function readManifest(url: string | URL): LoginManifest {
  let text: string
  try {
    text = readFileSync(new URL(url), 'utf8')
  } catch {
    throw new LoginBundleError(
      `the login page is not built: ${fileURLToPath(url)} is missing; run npm run build, or bring the folder from the machine that did`,
    )
  }
  const value: unknown = JSON.parse(text)
  if (!isManifest(value))
    throw new LoginBundleError(`${fileURLToPath(url)} is not a login manifest; build it again`)
  return { ...value, icon: value.icon ?? null }
}

function isManifest(value: unknown): value is Omit<LoginManifest, 'icon'> & { readonly icon?: string } {
  if (typeof value !== 'object' || value === null) return false
  const { script, styles, files, icon } = value as Record<string, unknown>
  const isAsset = (path: unknown) => typeof path === 'string' && /^assets\/[\w.-]+$/.test(path)
  const isFile = (file: unknown) =>
    typeof file === 'object' &&
    file !== null &&
    'path' in file &&
    isAsset(file.path) &&
    'type' in file &&
    typeof file.type === 'string'
  return (
    isAsset(script) &&
    (icon === undefined || isAsset(icon)) &&
    Array.isArray(styles) &&
    styles.every(isAsset) &&
    Array.isArray(files) &&
    files.every(isFile)
  )
}

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { parseJson, ShapeReader } from '@sekisho/contract/json-shape'
import { type LoginManifest, readLoginManifest } from '@sekisho/contract/login-page'

const compress = promisify(brotliCompress)
/**
 * Every start compresses again: level 11 takes 0.7 s of it to save 7 KB that a browser fetches once a year, and for a window of more than
 * 64 KB brotli allots 30 MB a file and half a second, to save 52 bytes.
 */
const EFFORT = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 16 }

/** One built file of the login page, in memory. */
export interface LoginAsset {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly brotli: Uint8Array<ArrayBuffer>
}

/** Output of the login package's build for the gate. */
export interface LoginBundle extends Omit<LoginManifest, 'files'> {
  /** By path below `/__gate/login/`. */
  readonly assets: ReadonlyMap<string, LoginAsset>
}

/** The login page was not built, or its manifest is not one. */
export class LoginBundleError extends Error {
  override readonly name = 'LoginBundleError'
  readonly code = 'login_bundle_missing'
}

/** Location of the login build's manifest. */
const builtManifest = () => import.meta.resolve('@sekisho/login/login.json')

/** Reads the built login page; the names come from its own manifest, so a request path never names a file. */
export async function readLoginBundle(manifestUrl: string | URL = builtManifest()): Promise<LoginBundle> {
  const { files, ...built } = readManifest(manifestUrl)
  const assets = await Promise.all(
    files.map(async ({ path, type }) => {
      const plain = new Uint8Array(readFileSync(new URL(path, manifestUrl)))
      return [
        path,
        { type, plain, brotli: new Uint8Array(await compress(plain, { params: EFFORT })) },
      ] as const
    }),
  )
  return { ...built, assets: new Map(assets) }
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
  const shape = new ShapeReader()
  const manifest = readLoginManifest(parseJson(text, 'login.json', shape), shape)
  if (shape.problems.length > 0)
    throw new LoginBundleError(`${fileURLToPath(url)} is not a login manifest; build it again`)
  return manifest
}

import { readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, constants } from 'node:zlib'

/** A running static server over one built site. */
export interface FolderServer {
  origin: string
  close(): Promise<void>
}

/** A service on the same origin as the site, such as the one that signs readers in. */
export interface Service {
  paths: readonly string[]
  handle(request: Request): Promise<Response>
}

const TYPES: { [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

interface Answer {
  status: number
  type: string
  body: Buffer
  isCompressed: boolean
}

/**
 * Serves a built site the way every static host does: clean addresses, brotli at its best level, a year of
 * caching for what has a hash in its name. The same server stands in front of every peer.
 */
export async function serveFolder(
  dir: string,
  startService?: (origin: string) => Promise<Service>,
): Promise<FolderServer> {
  const cache = new Map<string, Answer>()
  let service: Service | undefined
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (service?.paths.includes(path)) {
      void pass(service, origin, request, response)
      return
    }
    const answer = cache.get(path) ?? read(dir, path)
    cache.set(path, answer)
    const isHashed = /[.-][\w-]{8,}\.\w+$/.test(path)
    response.writeHead(answer.status, {
      'content-type': answer.type,
      'content-length': answer.body.byteLength,
      'cache-control': isHashed ? 'private, max-age=31536000, immutable' : 'private, no-store',
      ...(answer.isCompressed ? { 'content-encoding': 'br' } : {}),
    })
    response.end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  service = await startService?.(origin)
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function pass(
  service: Service,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const type = request.headers['content-type'] ?? 'application/json'
  const body = method === 'GET' ? null : await text(request)
  const answer = await service.handle(
    new Request(origin + url, { method, body, headers: { 'content-type': type } }),
  )
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(await answer.text())
}

function read(dir: string, path: string): Answer {
  const wanted = join(dir, normalize(path))
  const file = [wanted, join(wanted, 'index.html'), `${wanted}.html`].find(isFile) ?? join(dir, '404.html')
  const status = file.endsWith('404.html') && !path.startsWith('/404') ? 404 : 200
  const raw = isFile(file) ? readFileSync(file) : Buffer.from('not found')
  const type = TYPES[extname(file)] ?? 'application/octet-stream'
  const isCompressed = /text|json|svg/.test(type)
  return { status, type, body: isCompressed ? compress(raw) : raw, isCompressed }
}

/** Brotli as the gate and static hosts store it. */
export function compress(raw: Buffer): Buffer {
  return brotliCompressSync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.byteLength },
  })
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

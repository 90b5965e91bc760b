import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.xml': 'application/xml',
}

/** Serves a build as a host of static sites would: `/x` is `x`, `x.html` or `x/index.html`, what is nowhere is `404.html`. */
export async function serveFolder(
  folder: string,
  baseUrl: string,
): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://folder.invalid')
    const name = decodeURI(pathname).slice(baseUrl.length)
    for (const [file, status] of [
      ...['', '.html', '/index.html', 'index.html'].map((end) => [name + end, 200] as const),
      ['404.html', 404] as const,
    ]) {
      const body = await readFile(join(folder, file)).catch(() => null)
      if (body === null) continue
      response.writeHead(status, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      return response.end(body)
    }
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the folder is not served')
  return {
    origin: `http://localhost:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

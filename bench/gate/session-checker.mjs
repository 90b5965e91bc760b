// The least a session checker behind nginx can be: one cookie, one Map, no body. Usage: session-checker.mjs PORT TOKEN
import { createServer } from 'node:http'

const [port, token] = process.argv.slice(2)
const sessions = new Map([[token, { email: 'reader@example.co.jp' }]])

createServer((request, response) => {
  const cookie = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  response.writeHead(sessions.has(cookie) ? 204 : 401, { 'Content-Length': 0 })
  response.end()
}).listen(Number(port), '127.0.0.1')

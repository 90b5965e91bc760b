// Connections that send requests ahead without end and read every response. Usage: hostile-clients.mjs PORT COUNT HOST PATH
import { connect } from 'node:net'

const [port, count, host, path] = process.argv.slice(2)
const REQUESTS = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(500))

for (let index = 0; index < Number(count); index += 1) {
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('data', () => {}).on('error', () => {})
  const send = () => {
    while (socket.write(REQUESTS));
    socket.once('drain', send)
  }
  socket.on('connect', send)
}

/** One deliberate mistake in the reader or the writer of HTTP, which the comparison with llhttp must find. */
export interface Mutant {
  readonly mistake: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const PARSER = 'reading/parse-request.ts'
const CHUNKS = 'reading/chunked-body.ts'
const CONNECTION = 'connection.ts'

export const MUTANTS: readonly Mutant[] = [
  { mistake: 'control characters pass', file: PARSER, from: '[^\\t\\r\\n\\x20-\\x7e', to: '[^\\x00-\\x7e' },
  { mistake: 'more than blanks is trimmed', file: PARSER, from: 'code === 0x20 ||', to: 'code === 0xa0 ||' },
  { mistake: 'no blank is trimmed', file: PARSER, from: 'code === 0x20 || code === 0x09', to: 'code < 0' },
  { mistake: 'a name may hold a space', file: PARSER, from: 'FIELD_NAME = /^[', to: 'FIELD_NAME = /^[ ' },
  {
    mistake: 'chunks beside a length are ignored',
    file: PARSER,
    from: 'coding === null ? Number(length ?? 0) : null',
    to: 'Number(length ?? 0)',
  },
  {
    mistake: 'a length beside chunks is ignored',
    file: PARSER,
    from: 'length !== null || isHttp10',
    to: 'isHttp10',
  },
  {
    mistake: 'any coding is read as chunks',
    file: PARSER,
    from: "coding !== 'chunked' || length",
    to: 'length',
  },
  {
    mistake: 'a chunk size is read as decimal',
    file: CHUNKS,
    from: 'parseInt(line, 16)',
    to: 'parseInt(line, 10) || 0',
  },
  {
    mistake: 'a chunk size with a sign counts',
    file: CHUNKS,
    from: '/^[0-9a-f]{1,8}(',
    to: '/^[+]?[0-9a-f]{1,8}(',
  },
  {
    mistake: 'the line end behind a chunk is not read',
    file: CHUNKS,
    from: 'if (!CRLF.startsWith(lineEnd))',
    to: "if (lineEnd === '')",
  },
  {
    mistake: 'a cut chunk counts as whole',
    file: CHUNKS,
    from: 'this.#missing -= data.length',
    to: 'this.#missing = 0',
  },
  {
    mistake: 'the empty line behind the last chunk stays',
    file: CHUNKS,
    from: "if (next === 'end') return",
    to: "if (this.#next === 'end') return",
  },
  { mistake: 'a length with a sign counts', file: PARSER, from: '/^\\d{1,15}$/', to: '/^[+]?\\d{1,15}$/' },
  { mistake: 'a length in base 16 counts', file: PARSER, from: '/^\\d{1,15}$/', to: '/^[0-9a-fx]{1,15}$/' },
  {
    mistake: 'any version is read as 1.1',
    file: PARSER,
    from: 'HTTP/1\\\\.([01])$',
    to: 'HTTP/\\\\d+\\\\.(\\\\d)$',
  },
  { mistake: 'methods are read in any case', file: PARSER, from: '([01])$`)', to: "([01])$`, 'i')" },
  {
    mistake: 'the last headers stay',
    file: PARSER,
    from: 'headers = new PlainHeaders()',
    to: 'headers = (globalThis.kept ??= new PlainHeaders())',
  },
  { mistake: 'a cut end is not found', file: PARSER, from: 'Math.max(0, scanned - 3)', to: 'scanned' },
  {
    mistake: 'a body takes a byte more',
    file: CONNECTION,
    from: 'consume(bodyBytes)',
    to: 'consume(bodyBytes && bodyBytes + 1)',
  },
  {
    mistake: 'a body stays for the next request',
    file: CONNECTION,
    from: 'consume(bodyBytes)',
    to: 'consume(0)',
  },
  {
    mistake: 'what was sent ahead is dropped',
    file: CONNECTION,
    from: 'if (received.length > 0 && !isLast)',
    to: 'received.clear()\n    if (received.length > 0)',
  },
  {
    mistake: 'a refused connection goes on',
    file: CONNECTION,
    from: '    socket.write(options.serializeRefusal(refusal))\n    end()',
    to: '    received.clear()\n    if (hasEnded) end()',
  },
  {
    mistake: 'cookies join with a comma',
    file: 'plain-headers.ts',
    from: "name === 'cookie'",
    to: "name === 'x'",
  },
  {
    mistake: 'headers join without a space',
    file: 'plain-headers.ts',
    from: "'; ' : ', '",
    to: "'; ' : ','",
  },
  {
    mistake: 'memory grows from its start',
    file: 'reading/receive-buffer.ts',
    from: 'copy(grown, 0, this.#start, this.#end)',
    to: 'copy(grown, 0, 0, this.#end)',
  },
]

const WRITER = 'writing/send-response.ts'

export const WRITER_MUTANTS: readonly Mutant[] = [
  { mistake: 'an empty chunk is sent', file: WRITER, from: 'read.value.byteLength > 0', to: 'true' },
  { mistake: 'a chunk size is decimal', file: WRITER, from: 'toString(16)', to: 'toString(10)' },
  {
    mistake: 'no line end follows a chunk',
    file: WRITER,
    from: "socket.write('\\r\\n',",
    to: "socket.write('',",
  },
  { mistake: 'a body is sent to HEAD', file: WRITER, from: 'body === null || isHead', to: 'body === null' },
  { mistake: 'the last chunk is missing', file: WRITER, from: "'0\\r\\n\\r\\n'", to: "''" },
  { mistake: 'no empty line ends the chunks', file: WRITER, from: "'0\\r\\n\\r\\n'", to: "'0\\r\\n'" },
  {
    mistake: 'chunks go unannounced',
    file: WRITER,
    from: "headers.set('transfer-encoding', 'chunked')",
    to: "headers.set('connection', 'close')",
  },
  {
    mistake: 'a stream that fails ends like a whole one',
    file: WRITER,
    from: '    throw error\n',
    to: "    socket.write('0\\r\\n\\r\\n')\n",
  },
]

/** One deliberate mistake in the reader or the writer of HTTP, which the comparison with llhttp must find. */
export interface Mutant {
  readonly mistake: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Mutants of one file by their mistakes, each what it puts in the place of what. */
const mutantsOf = (
  file: string,
  mistakes: Readonly<Record<string, readonly [from: string, to: string]>>,
): readonly Mutant[] => Object.entries(mistakes).map(([mistake, [from, to]]) => ({ mistake, file, from, to }))

export const MUTANTS: readonly Mutant[] = [
  ...mutantsOf('reading/parse-request.ts', {
    'control characters pass': ['[^\\t\\r\\n\\x20-\\x7e', '[^\\x00-\\x7e'],
    'more than blanks is trimmed': ['code === 0x20 ||', 'code === 0xa0 ||'],
    'no blank is trimmed': ['code === 0x20 || code === 0x09', 'code < 0'],
    'a name may hold a space': ['FIELD_NAME = /^[', 'FIELD_NAME = /^[ '],
    'chunks beside a length are ignored': [
      'coding === null ? Number(length ?? 0) : null',
      'Number(length ?? 0)',
    ],
    'a length beside chunks is ignored': ['length !== null || isHttp10', 'isHttp10'],
    'any coding is read as chunks': ["coding !== 'chunked' || length", 'length'],
    'a length with a sign counts': ['/^\\d{1,15}$/', '/^[+]?\\d{1,15}$/'],
    'a length in base 16 counts': ['/^\\d{1,15}$/', '/^[0-9a-fx]{1,15}$/'],
    'any version is read as 1.1': ['HTTP/1\\\\.([01])$', 'HTTP/\\\\d+\\\\.(\\\\d)$'],
    'methods are read in any case': ['([01])$`)', "([01])$`, 'i')"],
    'the last headers stay': [
      'headers = new PlainHeaders()',
      'headers = (globalThis.kept ??= new PlainHeaders())',
    ],
    'a cut end is not found': ['Math.max(0, scanned - 3)', 'scanned'],
  }),
  ...mutantsOf('reading/chunked-body.ts', {
    'a chunk size is read as decimal': ['parseInt(line, 16)', 'parseInt(line, 10) || 0'],
    'a chunk size with a sign counts': ['/^[0-9a-f]{1,8}(', '/^[+]?[0-9a-f]{1,8}('],
    'the line end behind a chunk is not read': ['if (!CRLF.startsWith(lineEnd))', "if (lineEnd === '')"],
    'a cut chunk counts as whole': ['this.#missing -= data.length', 'this.#missing = 0'],
    'the empty line behind the last chunk stays': [
      "if (next === 'end') return",
      "if (this.#next === 'end') return",
    ],
  }),
  ...mutantsOf('connection.ts', {
    'a body takes a byte more': ['consume(bodyBytes)', 'consume(bodyBytes && bodyBytes + 1)'],
    'a body stays for the next request': ['consume(bodyBytes)', 'consume(0)'],
    'what was sent ahead is dropped': [
      'if (received.length > 0 && !isLast)',
      'received.clear()\n    if (received.length > 0)',
    ],
    'a refused connection goes on': [
      '    socket.write(options.serializeRefusal(refusal))\n    end()',
      '    received.clear()\n    if (hasEnded) end()',
    ],
  }),
  ...mutantsOf('plain-headers.ts', {
    'cookies join with a comma': ["name === 'cookie'", "name === 'x'"],
    'headers join without a space': ["'; ' : ', '", "'; ' : ','"],
  }),
  ...mutantsOf('reading/receive-buffer.ts', {
    'memory grows from its start': ['copy(grown, 0, this.#start, this.#end)', 'copy(grown, 0, 0, this.#end)'],
  }),
]

export const WRITER_MUTANTS: readonly Mutant[] = [
  ...mutantsOf('writing/send-response.ts', {
    'an empty chunk is sent': ['read.value.byteLength > 0', 'true'],
    'a chunk size is decimal': ['toString(16)', 'toString(10)'],
    'no line end follows a chunk': ["socket.write('\\r\\n',", "socket.write('',"],
    'a body is sent to HEAD': ['body === null || isHead', 'body === null'],
    'the last chunk is missing': ["'0\\r\\n\\r\\n'", "''"],
    'no empty line ends the chunks': ["'0\\r\\n\\r\\n'", "'0\\r\\n'"],
    'chunks go unannounced': [
      "headers.set('transfer-encoding', 'chunked')",
      "headers.set('connection', 'close')",
    ],
    'a stream that fails ends like a whole one': ['    throw error\n', "    socket.write('0\\r\\n\\r\\n')\n"],
  }),
]

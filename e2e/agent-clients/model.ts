import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answer of the stand-in once a client has shown it the pages of the portal. */
export const PAGES_SHOWN = 'The portal listed its pages.'

/** Arguments of the only tool call that the stand-in asks for. */
const ARGUMENTS = { path: '/' }

/** One answer of a model: `call` asks for the portal's tool `list`, `say` ends the turn. */
interface Protocol {
  readonly path: RegExp
  readonly call: readonly object[]
  say(text: string): readonly object[]
}

const PROTOCOLS: readonly Protocol[] = [
  {
    path: /^\/v1\/messages/, // Anthropic
    call: message(
      { type: 'tool_use', id: 'toolu_1', name: 'mcp__portal__list', input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(ARGUMENTS) },
      'tool_use',
    ),
    say: (text) => message({ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn'),
  },
  {
    path: /:streamGenerateContent/, // Gemini
    call: candidate({ functionCall: { name: 'mcp_portal_list', args: ARGUMENTS } }),
    say: (text) => candidate({ text }),
  },
  {
    path: /^\/v1\/responses/, // OpenAI
    call: response({
      ...{ type: 'function_call', call_id: 'call_1', namespace: 'mcp__portal', name: 'list' },
      arguments: JSON.stringify(ARGUMENTS),
    }),
    say: (text) =>
      response({ type: 'message', id: 'm_1', role: 'assistant', content: [{ type: 'output_text', text }] }),
  },
]

function message(content_block: object, delta: object, stop_reason: string): readonly object[] {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const empty = { id: 'msg_1', type: 'message', role: 'assistant', model: 'stand-in', content: [], usage }
  return [
    { type: 'message_start', message: empty },
    { type: 'content_block_start', index: 0, content_block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ]
}

function candidate(part: object): readonly object[] {
  return [{ candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }]
}

function response(item: object): readonly object[] {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', usage } },
  ]
}

/** Starts a stand-in for a vendor's model on loopback: it asks for one tool call and ends the turn with its result. */
export async function startModel(): Promise<{ readonly origin: string; stop(): void }> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const protocol = PROTOCOLS.find(({ path }) => path.test(request.url ?? ''))
    const hasCalled = /"tool_result"|"functionResponse"|"function_call_output"/.test(body)
    const text = /\\"results\\"/.test(body) ? PAGES_SHOWN : 'no pages'
    response.writeHead(protocol === undefined ? 404 : 200, { 'content-type': 'text/event-stream' })
    for (const event of (hasCalled ? protocol?.say(text) : protocol?.call) ?? [])
      response.write(`${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

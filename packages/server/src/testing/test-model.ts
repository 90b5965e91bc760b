import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A stand-in for a chat endpoint of OpenAI's form, which remembers what it was sent. */
export interface TestModel extends AsyncDisposable {
  readonly url: string
  /** Bodies of the requests so far. */
  readonly prompts: string[]
  readonly keys: (string | undefined)[]
  /** Requests whose client went away before their end. */
  readonly left: () => number
  /** Replaces the response to the requests that follow. */
  reply: (response: ServerResponse, prompt: string) => void | Promise<void>
}

/** Starts one on loopback; at first it answers with its prompt. */
export async function startTestModel(): Promise<TestModel> {
  const prompts: string[] = []
  const keys: (string | undefined)[] = []
  let left = 0
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    prompts.push(body)
    keys.push(request.headers.authorization ?? (request.headers['api-key'] as string | undefined))
    response.on('close', () => {
      if (!response.writableFinished) left += 1
    })
    await model.reply(response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const model: TestModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`,
    prompts,
    keys,
    left: () => left,
    reply: (response, prompt) => streamText(response, prompt),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return model
}

/** Sends a text as an event stream, in pieces of some characters. */
export function streamText(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  for (const piece of text.match(/[\s\S]{1,20}/g) ?? [])
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: piece } }] })}\n\n`)
  response.write('data: {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20}}\n\n')
  response.end('data: [DONE]\n\n')
}

/** Text of the user's message: sections and question. */
export function promptText(prompt: string): string {
  const { messages } = JSON.parse(prompt) as { messages: readonly { role: string; content: string }[] }
  return messages.find(({ role }) => role === 'user')?.content ?? ''
}

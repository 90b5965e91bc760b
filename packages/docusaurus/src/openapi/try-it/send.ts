/** Displayed parts of a response. */
export interface TryAnswer {
  readonly status: number
  readonly type: string
  readonly tookMs: number
  readonly bytes: number
  /** Null for what is no text. */
  readonly text: string | null
  readonly isCut: boolean
}

const MAX_SHOWN_CHARS = 100_000
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript))/

/** Sends a GET with the session of this browser. Rejects without a connection, and when the address is not of this portal. */
export async function sendGet(
  fetcher: typeof fetch,
  { address, headers }: { readonly address: string; readonly headers: Readonly<Record<string, string>> },
  now: () => number,
): Promise<TryAnswer> {
  const startedMs = now()
  const response = await fetcher(address, {
    headers,
    credentials: 'same-origin',
    mode: 'same-origin',
    cache: 'no-store',
  })
  const body = await response.arrayBuffer()
  const type = response.headers.get('Content-Type') ?? ''
  const text = TEXT.test(type) ? pretty(new TextDecoder().decode(body), type) : null
  return {
    status: response.status,
    type,
    tookMs: Math.round(now() - startedMs),
    bytes: body.byteLength,
    text: text?.slice(0, MAX_SHOWN_CHARS) ?? null,
    isCut: (text?.length ?? 0) > MAX_SHOWN_CHARS,
  }
}

function pretty(text: string, type: string): string {
  if (!/json/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

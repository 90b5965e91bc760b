/** Parts of a request that a service reads; the platform's own `Request` is one too. */
export type GateRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>

/** Parts of a response that the server and tests read; the platform's own `Response` is one too. */
export type GateResponse = Pick<
  Response,
  'status' | 'ok' | 'headers' | 'body' | 'bytes' | 'arrayBuffer' | 'text' | 'json'
>

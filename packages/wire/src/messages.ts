/** What a service reads of a request; the platform's own `Request` is one too. */
export type GateRequest = Pick<Request, 'method' | 'url' | 'headers' | 'body'>

/** What the server and tests read of a response; the platform's own `Response` is one too. */
export type GateResponse = Pick<
  Response,
  'status' | 'ok' | 'headers' | 'body' | 'bytes' | 'arrayBuffer' | 'text' | 'json'
>

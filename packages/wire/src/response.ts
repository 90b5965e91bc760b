/** What the gate's adapters and tests read of an answer; the platform's own Response is one too. */
export type GateResponse = Pick<
  Response,
  'status' | 'ok' | 'headers' | 'body' | 'bytes' | 'arrayBuffer' | 'text' | 'json'
>

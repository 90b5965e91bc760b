/**
 * Loaded before a gate of the trial (`--import`): the two addresses of the identity service lead to the trial's own issuer, and
 * nothing else does. The gate is as it is delivered.
 */
const SERVICE: ReadonlySet<string> = new Set(['www.googleapis.com', 'securetoken.googleapis.com'])
const { fetch } = globalThis

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (!SERVICE.has(url.hostname)) return fetch(input, init)
  return fetch(new URL(`${url.pathname}${url.search}`, process.env.CLUSTER_ISSUER), init)
}

/** Parts of the health of a gate that lacks nothing. */
export const ALL_OK = {
  audit: 'ok',
  store: 'ok',
  log: 'ok',
  release: 'ok',
  proofs: 'ok',
  policy: 'ok',
  rules: 'ok',
  sign_in: 'ok',
} as const

import type { AnswerPolicy } from './releases/index.ts'

/**
 * Spells the content security policy of a release's file, or null where the strictest default fits. Scripts run
 * only from files and by hash. Styles may be inline: diagrams and code blocks write them, and style cannot run.
 */
export function contentPolicy(policy: AnswerPolicy): string | null {
  switch (policy.kind) {
    case 'bare':
      return null
    case 'isolated':
      return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
    case 'page':
      return spelled.get(policy.scriptHashes) ?? spell(policy.scriptHashes)
  }
}

/** The pages of a release share a few lists of hashes; each list is spelled once and forgotten with its release. */
const spelled = new WeakMap<readonly string[], string>()

function spell(scriptHashes: readonly string[]): string {
  const text = [
    "default-src 'none'",
    `script-src ${["'self'", ...scriptHashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
  spelled.set(scriptHashes, text)
  return text
}

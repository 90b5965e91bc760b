const PRIVATE_USE = 0xe000
const OPERATOR_MARKS = '[?=<>!&|+*:~^%.@$-]'
const FLAG = String.raw`(?<![\p{L}\p{N}_-])--?[A-Za-z][\w-]*`
const SIGIL = String.raw`(?<![\p{L}\p{N}_@#$&.~%:*!?/\\-])(?:#!?\[|[@#$&.~%:*!/\\]{1,2})[\p{L}_][\p{L}\p{N}_-]*`
const SUFFIXED = String.raw`(?<![\p{L}\p{N}_])[A-Za-z]\w*(?:\+\+|#|!)(?![\p{L}\p{N}=])`
const OPERATOR = `(?<!${OPERATOR_MARKS})${OPERATOR_MARKS}{2,3}(?!${OPERATOR_MARKS})`
const LIFETIME = String.raw`(?<![\p{L}\p{N}_'"])'[a-z_]\w*(?![\p{L}\p{N}_'-])`
const TERM = new RegExp([FLAG, SIGIL, SUFFIXED, LIFETIME, OPERATOR].join('|'), 'gu')
const OPERATOR_ONLY = new RegExp(`^${OPERATOR_MARKS}+$`)

/** The largest number of symbol terms taken from one text, so that generated tables do not drown it. */
const MAX_TERMS = 2_000

/**
 * The terms in which punctuation carries the meaning: flags (`--watch`), names with a sigil (`@types`,
 * `$emit`, `.env`, `#[derive]`, `'static`), names with a suffix (`C++`, `println!`) and operators (`?.`, `=>`).
 * Each comes encoded, because the store's tokenizer splits at ASCII punctuation.
 */
export function symbolTerms(text: string): string[] {
  return symbolTermsAsWritten(text).map(encodeSymbols)
}

/** The same terms as they stand in the text. */
export function symbolTermsAsWritten(text: string): string[] {
  return (text.match(TERM) ?? []).slice(0, MAX_TERMS)
}

/** Tells if a term has no name in it. */
export const isOperator = (term: string): boolean => OPERATOR_ONLY.test(term)

/** Moves ASCII punctuation into the private use area and lowers case: `--watch` stays one token. */
export function encodeSymbols(term: string): string {
  return term
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, (mark) => String.fromCharCode(PRIVATE_USE + mark.charCodeAt(0)))
}

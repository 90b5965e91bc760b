/** Markup that needs no further escaping. */
export interface Html {
  readonly text: string
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template whose every inserted string is escaped; inserted {@link Html} is taken as it is. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  return { text: parts.reduce((text, part, index) => text + markup(values[index - 1] ?? '') + part) }
}

function markup(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
  return 'text' in value ? value.text : value.map((entry) => entry.text).join('')
}

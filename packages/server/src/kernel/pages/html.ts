import { escapeHtml } from '@sekisho/contract/login-document'

/** HTML that {@link html} made. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Makes HTML of a template; what stands in it is escaped unless it was made here itself. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  return new Html(parts.reduce((text, part, index) => text + show(values[index - 1] ?? '') + part))
}

function show(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
}

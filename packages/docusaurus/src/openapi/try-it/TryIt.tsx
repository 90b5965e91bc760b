import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { filledRequest, keyOf, type TryField, type TryRequest } from './request.ts'
import { sendGet, type TryAnswer } from './send.ts'
import type { TryTexts } from './texts.ts'

type Props = { readonly request: TryRequest; readonly texts: TryTexts }

/** State of a request: unsent, in flight, failed, or answered. */
type Outcome = null | 'sending' | 'failed' | TryAnswer

/** Of more fields than these, those that may stay empty are folded. */
const MAX_SHOWN = 3

/** A request to fill in and send, and beside it what is sent and what came back. */
export default function TryIt({ request, texts }: Props): ReactNode {
  const [values, setValues] = useState(() =>
    Object.fromEntries(request.fields.map((field) => [keyOf(field), field.value])),
  )
  const [outcome, setOutcome] = useState<Outcome>(null)
  const id = useId()
  const filled = filledRequest(request, values)
  const send = (event: SyntheticEvent): void => {
    event.preventDefault()
    setOutcome('sending')
    sendGet(fetch, filled, () => performance.now()).then(setOutcome, () => setOutcome('failed'))
  }
  const row = (field: TryField): ReactNode => (
    <FieldRow
      key={keyOf(field)}
      field={field}
      texts={texts}
      value={values[keyOf(field)] ?? ''}
      onChange={(value) => setValues((before) => ({ ...before, [keyOf(field)]: value }))}
    />
  )
  const { true: folded = [], false: shown = [] } = Object.groupBy(request.fields, ({ required }) =>
    String(!required && request.fields.length > MAX_SHOWN),
  )
  return (
    <section className="sekisho-try__panel" aria-labelledby={id}>
      <form onSubmit={send}>
        <h3 id={id}>{texts.title}</h3>
        <p>{texts.about}</p>
        {shown.map(row)}
        {folded.length > 0 && (
          <details>
            <summary>{texts.further(folded.length)}</summary>
            {folded.map(row)}
          </details>
        )}
        <button type="submit" className="button button--primary">
          {texts.send}
        </button>
      </form>
      <div className="sekisho-try__answer">
        <h3>{texts.request}</h3>
        <p>
          <code>GET {filled.address}</code>
        </p>
        <Answer outcome={outcome} texts={texts} />
      </div>
    </section>
  )
}

type RowProps = {
  readonly field: TryField
  readonly texts: TryTexts
  readonly value: string
  readonly onChange: (value: string) => void
}

function FieldRow({ field, texts, value, onChange }: RowProps): ReactNode {
  const id = useId()
  const { name, required, values } = field
  const control = {
    id,
    value,
    required,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  }
  return (
    <>
      <label htmlFor={id}>
        <code>{name}</code>
        {required ? texts.required : ''}
      </label>
      {values.length > 0 ? (
        <select {...control}>
          {required ? null : <option value="">{texts.unset}</option>}
          {values.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      ) : (
        <input {...control} autoComplete="off" spellCheck={false} />
      )}
    </>
  )
}

function Answer({ outcome, texts }: { readonly outcome: Outcome; readonly texts: TryTexts }): ReactNode {
  const answer = typeof outcome === 'object' ? outcome : null
  return (
    <>
      <h3>{texts.answer}</h3>
      <p role="status">{statusLine(outcome, texts)}</p>
      {answer === null ? null : answer.text === null ? (
        answer.bytes > 0 && <p>{texts.binary(answer.type)}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard (WCAG 2.1.1)
        <pre tabIndex={0}>
          <code>{answer.text}</code>
        </pre>
      )}
      {answer?.isCut === true && <p>{texts.cut}</p>}
    </>
  )
}

function statusLine(outcome: Outcome, texts: TryTexts): string {
  if (outcome === null) return texts.none
  if (typeof outcome === 'string') return texts[outcome]
  return texts.got(outcome.status, outcome.tookMs, outcome.bytes)
}

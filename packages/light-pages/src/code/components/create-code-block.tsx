import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'

/** Properties that the compiler puts on a fenced code block; a component's own block has none. */
export interface CodeBlockProps {
  prerendered?: string
  numbersfrom?: number | string
  className?: string
  title?: string
  children?: ReactNode
  [prop: string]: unknown
}

/** A block whose lines are finished. */
export interface FinishedBlock {
  /** Output of `writeLines`. */
  readonly html: string
  readonly className: string
  readonly title: string | undefined
  /** Prism's, as the theme's parser has it. */
  readonly language: string
  /** The number of the first line; undefined when lines have none. */
  readonly start: number | undefined
}

/** Makes the component that shows finished lines at once; only code that a component makes up brings the highlighter. */
export function createCodeBlock(
  Finished: ComponentType<FinishedBlock>,
  highlighter: () => Promise<{ default: ComponentType<CodeBlockProps> }>,
): ComponentType<CodeBlockProps> {
  const InBrowser = lazy(highlighter)
  return (props) => {
    const { prerendered: html, numbersfrom, className = '', title } = props
    if (html === undefined)
      return (
        <Suspense fallback={<pre>{props.children}</pre>}>
          <InBrowser {...props} />
        </Suspense>
      )
    const language = /language-(\S+)/.exec(className)?.[1]?.toLowerCase() ?? 'text'
    const start = numbersfrom === undefined ? undefined : Number(numbersfrom)
    return <Finished html={html} className={className} title={title} language={language} start={start} />
  }
}

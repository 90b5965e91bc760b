import { CodeBlockContextProvider, useCodeWordWrap } from '@docusaurus/theme-common/internal'
import CodeBlockLayout from '@theme/CodeBlock/Layout'
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo } from 'react'
import { readCode } from '../code-lines.ts'

/** What the compiler put on a fenced code block; a block made by a component has none of it. */
export interface CodeBlockProps {
  prerendered?: string
  numbersfrom?: number | string
  className?: string
  title?: string
  children?: ReactNode
  [prop: string]: unknown
}

const InBrowser = lazy<ComponentType<CodeBlockProps>>(() => import('@theme-init/CodeBlock'))

/** Shows finished lines at once; only code that a component makes up brings the highlighter. */
export default function CodeBlock(props: CodeBlockProps): ReactNode {
  if (props.prerendered !== undefined) return <FinishedCodeBlock {...props} prerendered={props.prerendered} />
  return (
    <Suspense fallback={<pre>{props.children}</pre>}>
      <InBrowser {...props} />
    </Suspense>
  )
}

function FinishedCodeBlock({
  prerendered,
  numbersfrom,
  className = '',
  title,
}: CodeBlockProps & { prerendered: string }): ReactNode {
  const wordWrap = useCodeWordWrap()
  const metadata = useMemo(
    () => ({
      prerendered,
      className,
      title,
      // Prism's, as the theme's parser has it.
      language: /language-(\S+)/.exec(className)?.[1]?.toLowerCase() ?? 'text',
      lineNumbersStart: numbersfrom === undefined ? undefined : Number(numbersfrom),
      lineClassNames: {},
      // Needed by the copy button only, and by nobody until it is pressed.
      get code(): string {
        return readCode(prerendered)
      },
      get codeInput(): string {
        return readCode(prerendered)
      },
    }),
    [prerendered, className, title, numbersfrom],
  )
  return (
    <CodeBlockContextProvider metadata={metadata} wordWrap={wordWrap}>
      <CodeBlockLayout />
    </CodeBlockContextProvider>
  )
}

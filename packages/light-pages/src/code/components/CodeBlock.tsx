import { CodeBlockContextProvider, useCodeWordWrap } from '@docusaurus/theme-common/internal'
import CodeBlockLayout from '@theme/CodeBlock/Layout'
import { type ReactNode, useMemo } from 'react'
import { readCode } from '../code-lines.ts'
import { createCodeBlock, type FinishedBlock } from './create-code-block.tsx'

/** The code block since Docusaurus 3.8, whose theme lays it out from a context. */
export default createCodeBlock(FinishedCodeBlock, () => import('@theme-init/CodeBlock'))

function FinishedCodeBlock({ html, className, title, language, start }: FinishedBlock): ReactNode {
  const wordWrap = useCodeWordWrap()
  const metadata = useMemo(
    () => ({
      prerendered: html,
      className,
      title,
      language,
      lineNumbersStart: start,
      lineClassNames: {},
      // Needed by the copy button only, and by nobody until it is pressed.
      get code(): string {
        return readCode(html)
      },
      get codeInput(): string {
        return readCode(html)
      },
    }),
    [html, className, title, language, start],
  )
  return (
    <CodeBlockContextProvider metadata={metadata} wordWrap={wordWrap}>
      <CodeBlockLayout />
    </CodeBlockContextProvider>
  )
}

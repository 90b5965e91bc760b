import styles from '@docusaurus/theme-classic/lib/theme/CodeBlock/Content/styles.module.css'
import { useCodeWordWrap } from '@docusaurus/theme-common/internal'
import Container from '@theme/CodeBlock/Container'
import CopyButton from '@theme/CodeBlock/CopyButton'
import WordWrapButton from '@theme/CodeBlock/WordWrapButton'
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo } from 'react'
import { readCode } from '../code-lines.ts'
import type { CodeBlockProps } from './CodeBlock.tsx'
import FinishedLines from './FinishedLines.tsx'

/** The languages add themselves to Prism before anything is highlighted. */
const InBrowser = lazy<ComponentType<CodeBlockProps>>(async () => {
  await import('@light-pages/prism-languages')
  return import('@theme-init/CodeBlock')
})

/** The code block until Docusaurus 3.7, whose theme lays it out in one component: `CodeBlock.tsx` is its counterpart since. */
export default function WholeCodeBlock(props: CodeBlockProps): ReactNode {
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
  const code = useMemo(() => readCode(prerendered), [prerendered])
  return (
    <Container as="div" className={className}>
      {title && <div className={styles.codeBlockTitle}>{title}</div>}
      <div className={styles.codeBlockContent}>
        <FinishedLines
          blockRef={wordWrap.codeBlockRef}
          html={prerendered}
          language={/language-(\S+)/.exec(className)?.[1]?.toLowerCase() ?? 'text'}
          start={numbersfrom === undefined ? undefined : Number(numbersfrom)}
        />
        <div className={styles.buttonGroup}>
          {(wordWrap.isEnabled || wordWrap.isCodeScrollable) && (
            <WordWrapButton
              className={styles.codeButton}
              onClick={() => wordWrap.toggle()}
              isEnabled={wordWrap.isEnabled}
            />
          )}
          <CopyButton className={styles.codeButton} code={code} />
        </div>
      </div>
    </Container>
  )
}

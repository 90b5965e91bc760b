import styles from '@docusaurus/theme-classic/lib/theme/CodeBlock/Content/styles.module.css'
import { useCodeWordWrap } from '@docusaurus/theme-common/internal'
import Container from '@theme/CodeBlock/Container'
import CopyButton from '@theme/CodeBlock/CopyButton'
import WordWrapButton from '@theme/CodeBlock/WordWrapButton'
import { type ReactNode, useMemo } from 'react'
import { readCode } from '../code-lines.ts'
import { createCodeBlock, type FinishedBlock } from './create-code-block.tsx'
import FinishedLines from './FinishedLines.tsx'

/** The code block until Docusaurus 3.7, whose theme lays it out in one component. */
export default createCodeBlock(FinishedCodeBlock, async () => {
  // The languages add themselves to Prism before anything is highlighted.
  await import('@light-pages/prism-languages')
  return import('@theme-init/CodeBlock')
})

function FinishedCodeBlock({ html, className, title, language, start }: FinishedBlock): ReactNode {
  const wordWrap = useCodeWordWrap()
  const code = useMemo(() => readCode(html), [html])
  return (
    <Container as="div" className={className}>
      {title && <div className={styles.codeBlockTitle}>{title}</div>}
      <div className={styles.codeBlockContent}>
        <FinishedLines blockRef={wordWrap.codeBlockRef} html={html} language={language} start={start} />
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

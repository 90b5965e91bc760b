import styles from '@docusaurus/theme-classic/lib/theme/CodeBlock/Content/styles.module.css'
import { useCodeBlockContext } from '@docusaurus/theme-common/internal'
import clsx from 'clsx'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import FinishedLines from './FinishedLines.tsx'

type Props = { className?: string }

/** The languages add themselves to Prism before anything is highlighted. */
const InBrowser = lazy<ComponentType<Props>>(async () => {
  await import('@light-pages/prism-languages')
  return import('@theme-init/CodeBlock/Content')
})

/** The lines of a code block: finished ones as they are, others through Prism. */
export default function CodeBlockContent({ className }: Props): ReactNode {
  const { metadata, wordWrap } = useCodeBlockContext()
  const { prerendered } = metadata as { prerendered?: string }
  if (prerendered === undefined) {
    return (
      <Suspense fallback={<PlainCode />}>
        <InBrowser {...(className === undefined ? {} : { className })} />
      </Suspense>
    )
  }
  const { language, lineNumbersStart } = metadata
  return (
    <FinishedLines
      blockRef={wordWrap.codeBlockRef}
      html={prerendered}
      language={language}
      start={lineNumbersStart}
      className={className}
    />
  )
}

/** Until the highlighter is here: a block whose parts the word wrap button can measure as well. */
function PlainCode(): ReactNode {
  const { metadata, wordWrap } = useCodeBlockContext()
  return (
    <pre ref={wordWrap.codeBlockRef} className={clsx(`language-${metadata.language}`, styles.codeBlock)}>
      <code className={styles.codeBlockLines}>{metadata.code}</code>
    </pre>
  )
}

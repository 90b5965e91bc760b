import styles from '@docusaurus/theme-classic/lib/theme/CodeBlock/Content/styles.module.css'
import { useCodeBlockContext } from '@docusaurus/theme-common/internal'
import clsx from 'clsx'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { FINISHED_CODE } from '../code-lines.ts'
import '../code-lines.css'

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
  const { language, lineNumbersStart: start } = metadata
  const isNumbered = start !== undefined
  return (
    <pre
      ref={wordWrap.codeBlockRef}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard
      tabIndex={0}
      className={clsx(
        className,
        `prism-code language-${language}`,
        FINISHED_CODE,
        styles.codeBlock,
        'thin-scrollbar',
      )}
    >
      <code
        className={clsx(styles.codeBlockLines, isNumbered && styles.codeBlockLinesWithNumbering)}
        {...(isNumbered && start !== 1 ? { style: { counterReset: `line-count ${start - 1}` } } : {})}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: written by our own compiler, which escapes the code
        dangerouslySetInnerHTML={{ __html: prerendered }}
      />
    </pre>
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

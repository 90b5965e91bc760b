import styles from '@docusaurus/theme-classic/lib/theme/CodeBlock/Content/styles.module.css'
import clsx from 'clsx'
import type { ReactNode, Ref } from 'react'
import { FINISHED_CODE } from '../code-lines.ts'
import '../code-lines.css'
import type { FinishedBlock } from './create-code-block.tsx'

interface Props extends Pick<FinishedBlock, 'html' | 'language' | 'start'> {
  /** The element that word wrap measures. */
  blockRef: Ref<HTMLPreElement>
  className?: string | undefined
}

/** Lines that were finished while the page was compiled, in the elements that the stock theme has around them. */
export default function FinishedLines({ blockRef, html, language, start, className }: Props): ReactNode {
  const isNumbered = start !== undefined
  return (
    <pre
      ref={blockRef}
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
        dangerouslySetInnerHTML={{ __html: html }}
      />
    </pre>
  )
}

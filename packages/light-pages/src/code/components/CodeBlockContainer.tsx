import styles from '@docusaurus/theme-classic/lib/theme/CodeBlock/Container/styles.module.css'
import { ThemeClassNames } from '@docusaurus/theme-common'
import clsx from 'clsx'
import type { ElementType, ReactNode } from 'react'

type Props = { as: ElementType; className?: string; [prop: string]: unknown }

/** The stock container without its style attribute: the colours are in the style sheet. */
export default function CodeBlockContainer({ as: As, className, ...props }: Props): ReactNode {
  return (
    <As {...props} className={clsx(className, styles.codeBlockContainer, ThemeClassNames.common.codeBlock)} />
  )
}

import { translate } from '@docusaurus/Translate'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { loadNode } from '../../routes/app/sidebar-store.ts'

type Props = { readonly node: string; readonly count: number }

/**
 * Loads the entries of an opened category, showing as many blank rows for a full-height animation. A failure is shown and can be retried;
 * whichever attempt succeeds, the entries replace this.
 */
export default function PendingItems({ node, count }: Props): ReactNode {
  const [hasFailed, setHasFailed] = useState(false)
  const [isTrying, setIsTrying] = useState(false)
  const load = useCallback((): void => {
    setIsTrying(true)
    loadNode(node)
      .catch(() => setHasFailed(true))
      .finally(() => setIsTrying(false))
  }, [node])
  useEffect(load, [load])
  if (hasFailed) return <FailedRow isTrying={isTrying} onRetry={load} />
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
    <li key={index} className="menu__list-item" aria-hidden="true">
      <span className="menu__link">&nbsp;</span>
    </li>
  ))
}

type FailedRowProps = { readonly isTrying: boolean; readonly onRetry: () => void }

/** The button stays where it is while it tries, so that the focus of a keyboard does too. */
function FailedRow({ isTrying, onRetry }: FailedRowProps): ReactNode {
  return (
    <li className="menu__list-item sekisho-sidebar-failure">
      <span role="alert">
        {translate({ id: 'sekisho.sidebar.loadFailed', message: '項目を読み込めませんでした。' })}
      </span>
      <button
        type="button"
        className="button button--outline button--primary button--sm"
        aria-disabled={isTrying}
        onClick={() => {
          if (!isTrying) onRetry()
        }}
      >
        {translate({ id: 'sekisho.sidebar.retry', message: 'もう一度' })}
      </button>
    </li>
  )
}

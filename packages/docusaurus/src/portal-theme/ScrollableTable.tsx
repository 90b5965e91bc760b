import { translate } from '@docusaurus/Translate'
import clsx from 'clsx'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'

const NOTHING_HIDDEN = { start: false, end: false }

/** A table in a container of its own, which shows on which side columns are hidden and scrolls by keyboard as well. */
export default function ScrollableTable(props: ComponentProps<'table'>): ReactNode {
  const scroller = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useState(NOTHING_HIDDEN)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = (): void => {
      const start = element.scrollLeft > 1
      const end = element.scrollLeft + element.clientWidth < element.scrollWidth - 1
      setHidden((known) => (known.start === start && known.end === end ? known : { start, end }))
    }
    const observer = new ResizeObserver(measure)
    for (const box of [element, ...element.children]) observer.observe(box) // a table grows within: fonts, opened details
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const isScrollable = hidden.start || hidden.end
  const keyboard = isScrollable
    ? ({
        tabIndex: 0,
        role: 'group', // a page may have many, and each region is a landmark
        'aria-label': translate({ id: 'sekisho.table.scrollable', message: '表（横にスクロールできます）' }),
      } as const)
    : {}
  return (
    <div
      className={clsx(
        'sekisho-table',
        hidden.start && 'sekisho-table--hidden-start',
        hidden.end && 'sekisho-table--hidden-end',
      )}
    >
      <div ref={scroller} className="sekisho-table__scroller" {...keyboard}>
        <table {...props} />
      </div>
    </div>
  )
}

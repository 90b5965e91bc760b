import { type ReactNode, useId, useState } from 'react'
import styles from './NormalizeDemo.module.css'

/** Lets the reader type a query and see how the index would spell it. */
export default function NormalizeDemo(): ReactNode {
  const id = useId()
  const [text, setText] = useState('Ｄｏｃｕｓａｕｒｕｓ の ﾌﾟﾗｸﾞｲﾝ')

  return (
    <div className="card margin-bottom--md">
      <div className="card__body">
        <label htmlFor={id}>検索語</label>
        <input
          id={id}
          className={styles.field}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p className="margin-top--md margin-bottom--none">
          正規化の結果：<output htmlFor={id}>{normalize(text)}</output>
        </p>
      </div>
    </div>
  )
}

function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replace(/\s+/gu, ' ')
}

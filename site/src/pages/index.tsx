import Link from '@docusaurus/Link'
import useDocusaurusContext from '@docusaurus/useDocusaurusContext'
import Layout from '@theme/Layout'
import RecentChanges from '@theme/RecentChanges'
import SearchBar from '@theme/SearchBar'
import clsx from 'clsx'
import { Fragment, type ReactNode } from 'react'
import styles from './index.module.css'

/** Sentences in phrases: a line breaks between them and nowhere else, in every browser. */
const AREAS = [
  {
    name: 'Docs',
    path: '/docs/sekisho-overview',
    phrases: [
      '環境構築、',
      '規約、',
      '製品の',
      '概要。',
      '仕事を',
      '始めるときと、',
      '決まりを',
      '確かめるときに。',
    ],
  },
  {
    name: 'Knowledge',
    path: '/knowledge/',
    phrases: [
      '調べて',
      '分かったこと、',
      'つまずいて',
      '学んだこと。',
      '同じ問題に',
      '出会った',
      '人のために。',
    ],
  },
  {
    name: 'Blog',
    path: '/blog',
    phrases: ['お知らせと、', '設計の', '背景。', '何を', '考えて', 'そうしたのかを', '知りたいときに。'],
  },
] as const

/** A reader's start: search, the three areas, and changes since the last visit. */
export default function Home(): ReactNode {
  const { siteConfig } = useDocusaurusContext()
  return (
    <Layout description={siteConfig.tagline}>
      <main>
        <header className={styles.masthead}>
          <div className="container">
            <h1 className={styles.name}>{siteConfig.title}</h1>
            <p className={styles.tagline}>{siteConfig.tagline}</p>
            <div className={styles.search}>
              <SearchBar />
            </div>
          </div>
        </header>
        <div className={`container ${styles.body}`}>
          <nav className={styles.areas} aria-label="区画">
            {AREAS.map(({ name, path, phrases }) => (
              <Link key={path} to={path} className={clsx(styles.area)}>
                <strong className={styles.areaName}>{name}</strong>
                <span>
                  {phrases.map((phrase) => (
                    <Fragment key={phrase}>
                      {phrase}
                      <wbr />
                    </Fragment>
                  ))}
                </span>
              </Link>
            ))}
          </nav>
          <RecentChanges title="最近の更新" />
        </div>
      </main>
    </Layout>
  )
}

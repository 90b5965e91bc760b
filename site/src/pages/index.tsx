import Link from '@docusaurus/Link'
import useDocusaurusContext from '@docusaurus/useDocusaurusContext'
import Layout from '@theme/Layout'
import RecentChanges from '@theme/RecentChanges'
import SearchBar from '@theme/SearchBar'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import styles from './index.module.css'

const AREAS = [
  {
    name: 'Docs',
    path: '/docs/sekisho-overview',
    description: '環境構築、規約、製品の概要。仕事を始めるときと、決まりを確かめるときに。',
  },
  {
    name: 'Knowledge',
    path: '/knowledge/',
    description: '調べて分かったこと、つまずいて学んだこと。同じ問題に出会った人のために。',
  },
  {
    name: 'Blog',
    path: '/blog',
    description: 'お知らせと、設計の背景。何を考えてそうしたのかを知りたいときに。',
  },
] as const

/** Where a reader starts: search, the three areas, and what changed since they were last here. */
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
            {AREAS.map(({ name, path, description }) => (
              <Link key={path} to={path} className={clsx(styles.area)}>
                <strong className={styles.areaName}>{name}</strong>
                <span>{description}</span>
              </Link>
            ))}
          </nav>
          <RecentChanges title="最近の更新" />
        </div>
      </main>
    </Layout>
  )
}

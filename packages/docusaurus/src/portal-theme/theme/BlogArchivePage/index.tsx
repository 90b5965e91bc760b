import Link from '@docusaurus/Link'
import { translate } from '@docusaurus/Translate'
import { PageMetadata } from '@docusaurus/theme-common'
import type { Props } from '@theme/BlogArchivePage'
import Heading from '@theme/Heading'
import Layout from '@theme/Layout'
import type { ReactNode } from 'react'
import { dayInJapan, formatDay } from '../../../content/japanese.ts'

/** All posts by year, newest first. The classic page begins at the other end, and with a heading of the third level. */
export default function BlogArchivePage({ archive }: Props): ReactNode {
  const title = translate({ id: 'theme.blog.archive.title', message: 'Archive' })
  const description = translate({ id: 'theme.blog.archive.description', message: 'Archive' })
  const posts = archive.blogPosts.toSorted(
    (a, b) => Date.parse(b.metadata.date) - Date.parse(a.metadata.date),
  )
  const years = Map.groupBy(posts, ({ metadata }) => metadata.date.slice(0, 4))
  return (
    <>
      <PageMetadata title={title} description={description} />
      <Layout>
        <main>
          <div className="hero hero--primary">
            <div className="container">
              <Heading as="h1" className="hero__title">
                {title}
              </Heading>
              <p className="hero__subtitle">{description}</p>
            </div>
          </div>
          <div className="container margin-vert--lg">
            {[...years].map(([year, ofYear]) => (
              <section key={year}>
                <Heading as="h2" id={year}>
                  {year}年
                </Heading>
                <ul>
                  {ofYear.map(({ metadata }) => (
                    <li key={metadata.permalink}>
                      <Link to={metadata.permalink}>
                        {formatDay(dayInJapan(Date.parse(metadata.date)))} - {metadata.title}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        </main>
      </Layout>
    </>
  )
}

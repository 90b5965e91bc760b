export { digestOf, openSqlitePublishers, type PublisherStore } from './publisher-store.ts'

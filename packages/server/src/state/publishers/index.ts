export { digestOf, type PublisherStore } from './publisher-store.ts'
export { openSqlitePublishers } from './sqlite-publisher-store.ts'

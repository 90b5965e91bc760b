export {
  type Acknowledgement,
  type AcknowledgementStore,
  readAll as readAllAcknowledgements,
} from './acknowledgement-store.ts'
export {
  type AskedPage,
  findAskedPage,
  findDone,
  isAsked,
  listAskedPages,
  textHashOf,
} from './asked-pages.ts'
export {
  findReviewedPage,
  type ReviewDays,
  readReviewDays,
  reviewDayOf,
  reviewVersion,
  withReview,
} from './page-reviews.ts'
export { openSqliteAcknowledgements } from './reader-records.ts'

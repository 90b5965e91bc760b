export { type FeedbackLog, openFeedbackLog } from './feedback-log.ts'
export { type PageReport, readFeedbackReport } from './opinion-report.ts'
export { createFeedbackFiles, type PageOpinion } from './opinion-store.ts'

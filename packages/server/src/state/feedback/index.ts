export { type FeedbackLog, openFeedbackLog } from './feedback-log.ts'
export { type PageReport, readFeedbackReport } from './feedback-report.ts'
export { createFeedbackFiles, type KeptFeedback } from './feedback-store.ts'

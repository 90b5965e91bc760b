export { createTestMessage } from './notice-message.ts'
export { NoticeError, sendMail, sendWebhook } from './send-notice.ts'

export { type DailyLog, type DailyStore, openDailyLog } from './daily-log.ts'
export { isoTime } from './iso-time.ts'
export { plainJson } from './plain-json.ts'

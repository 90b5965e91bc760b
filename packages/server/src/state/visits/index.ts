export type { Visit, VisitStore } from './visit-store.ts'

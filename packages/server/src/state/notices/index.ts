export type { ClaimedNotice, Notice, NoticeStore, Watch } from './notice-store.ts'

export { type Backup, BackupError, writeBackup } from './backup.ts'
export { finishRestore } from './exchange.ts'
export { restoreBackup } from './restore.ts'

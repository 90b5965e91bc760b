export { type Backup, BackupError, writeBackup } from './backup.ts'
export { restoreBackup } from './restore.ts'

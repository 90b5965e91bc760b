export { type Moved, MovingError, moveToDatabase } from './move-to-postgres.ts'

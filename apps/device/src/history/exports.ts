export { Batch } from './batch.ts';
export { openHistoryDatabase } from './history-database.ts';
export { HistoryStore } from './history-store.ts';

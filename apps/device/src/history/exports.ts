export { Batch } from './columns/batch.ts';
export { openHistoryDatabase } from './files/history-database.ts';
export { HistoryStore } from './files/history-store.ts';

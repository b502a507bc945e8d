export { DATABASE_FILE, openDatabase } from './database.ts';
export { KeyValueStore } from './key-value.ts';

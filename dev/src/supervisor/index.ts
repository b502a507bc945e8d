export { LogFile } from './log-file.ts';
export { ManagedProcess, type ProcessOptions } from './managed-process.ts';
export { ProcessJournal } from './process-journal.ts';

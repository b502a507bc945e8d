import { AppError } from '@heliograph/kit';
import type { StoreFault } from '../database.ts';

/** For anyone to read: paths and errors are in the log and on the page /store. */
export const FAULT_REASONS: Readonly<Record<StoreFault, string>> = {
  damaged: 'the database is damaged',
  newer: 'the database was changed by a newer release',
  permission: 'the database cannot be opened or written',
  full: 'the disk is full',
  unreadable: 'the database cannot be read or written',
};

/** A change that the next start would lose is refused. */
export class StoreUnusable extends AppError {
  constructor(fault: StoreFault) {
    super(
      `The change cannot be stored: ${FAULT_REASONS[fault]}. Open the page of this device on the network of the home`,
      { code: 'store_unusable', status: 503, expose: true },
    );
  }
}

/** Runs a change that is in force until the next start where the store cannot be used. @throws other errors of the store */
export function storeIfUsable(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
  }
}

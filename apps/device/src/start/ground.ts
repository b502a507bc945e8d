import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import type { ScryptCost } from '../admin/backup/backup-key.ts';
import type { Restarts } from '../admin/configuration/editable-configuration.ts';
import type { LogTail } from '../admin/diagnostics/log-tail.ts';
import type { DeviceConfig } from '../config/config.ts';

/** Ground of every step of a start. */
export interface Ground {
  readonly config: DeviceConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The lines of the logger, for diagnostic bundles. */
  readonly logTail: LogTail;
  readonly restarts: Restarts | undefined;
  /** Why a start with the store failed: it is left alone, and one in memory takes its place. */
  readonly storeFailure: string | undefined;
  readonly backupKeyCost: ScryptCost | undefined;
  /** Stops what was started, the last first. */
  readonly undo: AsyncDisposableStack;
}

/** Tries what is found again soon, and may fail. */
export function attempt(store: () => void, logger: Logger): void {
  try {
    store();
  } catch (error) {
    logger.debug({ reason: messageOf(error) }, 'a fact cannot be stored');
  }
}

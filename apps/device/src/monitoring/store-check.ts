import type { DeviceStoreLoss } from '@heliograph/contracts';
import type { CheckResult } from '@heliograph/telemetry';
import type { StoreFault } from '../storage/database.ts';
import { FAULT_REASONS } from '../storage/store-unusable.ts';

/** The state of the database of the device. */
export interface StoreState {
  /** Why nothing can be stored; null where it can. */
  readonly failure: StoreFault | null;
  readonly loss: DeviceStoreLoss | null;
}

export function storeCheck({ failure, loss }: StoreState): CheckResult {
  if (failure !== null)
    return { status: 'failed', detail: `Settings and energy cannot be stored: ${FAULT_REASONS[failure]}` };
  if (loss !== null) return { status: 'warning', detail: sentenceOf(loss) };
  return { status: 'ok', detail: 'Settings and energy are stored' };
}

function sentenceOf({ at, hours, settings, entries }: DeviceStoreLoss): string {
  const lost = [
    ...(hours === null ? [] : [energyOf(hours)]),
    ...(settings ? ['settings'] : []),
    ...(entries === 0 ? [] : [`${entries ?? 'an unknown number of'} entries of logs and alerts`]),
  ];
  const cost = lost.length === 0 ? 'and nothing was lost' : `and lost ${lost.join(', ')}: restore a backup`;
  return `The database was damaged on ${at.slice(0, 'YYYY-MM-DD'.length)} ${cost}`;
}

function energyOf({ from, until, count }: NonNullable<DeviceStoreLoss['hours']>): string {
  if (until === null) return 'all energy';
  if (from === null) return `the energy before ${until}`;
  return `the energy of ${count === 1 ? 'an hour' : `${count ?? 'some'} hours`} between ${from} and ${until}`;
}

import type { DeviceStoreLoss } from '@heliograph/contracts';
import type { CheckResult } from '@heliograph/telemetry';
import type { StoreFault } from '../../storage/database.ts';
import { FAULT_REASONS } from '../../storage/opening/store-unusable.ts';

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

const EVENTS: Readonly<Record<DeviceStoreLoss['cause'], string>> = {
  damaged: 'was damaged',
  unreadable: 'had a read error of the disk',
  replaced: 'was replaced by a new one',
};

function sentenceOf({ at, cause, hours, days, settings, entries, kept, ...loss }: DeviceStoreLoss): string {
  const lost = [
    ...(loss.new_identity ? ['the identity'] : []),
    ...(hours === null ? [] : [energyOf(hours)]),
    ...(days === null ? [] : [totalsOf(days)]),
    ...(settings ? ['settings'] : []),
    ...(entries === 0 ? [] : [`${entries ?? 'an unknown number of'} entries of logs and alerts`]),
    ...(loss.history === null ? [] : [readingsOf(loss.history)]),
  ];
  const cost = lost.length === 0 ? 'and nothing was lost' : `and lost ${lost.join(', ')}: restore a backup`;
  const rest =
    kept && `; it kept ${kept.hours} hours and ${kept.days} days of energy, ${kept.entries} entries`;
  return `The database ${EVENTS[cause]} on ${at.slice(0, 'YYYY-MM-DD'.length)} ${cost}${rest ?? ''}`;
}

function totalsOf({ from, until, count }: NonNullable<DeviceStoreLoss['days']>): string {
  if (until === null) return 'all totals of days';
  if (from === null) return `the totals of days until ${until}`;
  return `the totals of ${count ?? 'some'} days from ${from} to ${until}`;
}

function readingsOf({ from, until }: NonNullable<DeviceStoreLoss['history']>): string {
  return `readings between ${from ?? 'the beginning'} and ${until ?? 'that day'}`;
}

function energyOf({ from, until, count }: NonNullable<DeviceStoreLoss['hours']>): string {
  if (until === null) return 'all energy';
  if (from === null) return `the energy before ${until}`;
  return `the energy of ${count === 1 ? 'an hour' : `${count ?? 'some'} hours`} between ${from} and ${until}`;
}

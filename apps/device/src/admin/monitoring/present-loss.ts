import type { DeviceStoreLoss } from '@heliograph/contracts';
import { DAY_MS, type LocalDay } from '../../common/local-time.ts';
import type { HourStore } from '../../energy/hours/hour-store.ts';
import { lostDays, lostHours } from '../../energy/hours/lost-hours.ts';
import type { StoreLoss } from '../../storage/salvage/store-loss.ts';

export function presentLoss(loss: StoreLoss, stored: HourStore, zone: string): DeviceStoreLoss {
  const hours = lostHours(loss, stored);
  const days = lostDays(loss, stored, zone);
  const { at, cause = 'damaged', settings, entries, kept = null, newIdentity = false } = loss;
  return {
    at: new Date(at).toISOString(),
    cause,
    hours: hours && { from: timeOf(hours.fromMs), until: timeOf(hours.untilMs), count: hours.count },
    days: days && { from: dateOf(days.from), until: dateOf(days.until), count: days.count },
    settings,
    entries,
    kept,
    history: loss.history ? { from: timeOf(loss.history.fromMs), until: timeOf(loss.history.untilMs) } : null,
    new_identity: newIdentity,
  };
}

function timeOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

function dateOf(day: LocalDay | null): string | null {
  return day === null ? null : new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

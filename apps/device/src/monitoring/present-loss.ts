import type { DeviceStoreLoss } from '@heliograph/contracts';
import type { HourStore } from '../energy/hour-store.ts';
import { lostHours } from '../energy/lost-hours.ts';
import type { StoreLoss } from '../storage/store-loss.ts';

export function presentLoss(loss: StoreLoss, stored: HourStore): DeviceStoreLoss {
  const hours = lostHours(loss, stored);
  const dateOf = (atMs: number | null): string | null =>
    atMs === null ? null : new Date(atMs).toISOString();
  return {
    at: new Date(loss.at).toISOString(),
    hours: hours && { from: dateOf(hours.fromMs), until: dateOf(hours.untilMs), count: hours.count },
    settings: loss.settings,
    entries: loss.entries,
  };
}

import { AlertStore } from '../alerts/alert-store.ts';
import { AlertWatch } from '../alerts/alert-watch.ts';
import { channelOf } from '../alerts/notifications/channel.ts';
import { Notifier } from '../alerts/notifications/notifier.ts';
import { AlertRules } from '../config/alert-rules/alert-rules.ts';
import type { Ground } from './ground.ts';
import type { DeviceData } from './open-data.ts';
import type { PolledHardware } from './read-hardware.ts';
import type { RecordedHistory } from './record-history.ts';

export type OpenedAlerts = ReturnType<typeof openAlerts>;

export function openAlerts(
  { config, clock, logger }: Ground,
  { db, store, losses }: DeviceData,
  { snapshots, passed }: RecordedHistory,
  { energyHistory }: PolledHardware,
) {
  const rules = new AlertRules({ store, configured: config.alertRules });
  const alerts = new AlertStore(db);
  const watch = new AlertWatch({
    rules,
    alerts,
    store,
    snapshots,
    hours: (fromMs, toMs) => energyHistory.hours(fromMs, toMs),
    storeLoss: () => losses.current && (losses.current.cause ?? 'damaged'),
    clockBehind: () => passed.isBehind(clock.now()),
    clock,
    logger,
  });
  return { rules, alerts, watch };
}

/**
 * Compares each poll with the rules, and sends alerts to the configured receivers. A store in memory knows nothing of what
 * was, and its alerts would end with it: with one nothing is watched.
 */
export async function watchAlerts(
  { config, clock, logger, undo }: Ground,
  { store, storeProblem, losses, access }: DeviceData,
  { alerts, watch }: OpenedAlerts,
): Promise<void> {
  if (storeProblem !== null) return;
  watch.subscribe(({ rule, acknowledgedAt, clearedAt }) => {
    if (rule !== 'store_damaged' || losses.current === null) return;
    if (acknowledgedAt !== null && clearedAt === null) losses.dismiss();
  });
  watch.start();
  undo.defer(() => watch.stop());
  for (const receiver of config.notifications) {
    const notifier = new Notifier({
      receiver,
      channel: await channelOf(receiver),
      alerts,
      watch,
      store,
      title: () => access.site.name ?? 'Heliograph',
      clock,
      logger,
    });
    notifier.start();
    undo.defer(() => notifier.stop());
  }
}

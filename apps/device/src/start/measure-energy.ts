import { messageOf, wait } from '@heliograph/kit';
import { startOfDay } from '../common/local-time.ts';
import { backfillEnergy } from '../energy/energy-backfill.ts';
import { EnergyMeter } from '../energy/energy-meter.ts';
import { EnergyStore } from '../energy/energy-store.ts';
import { firstDayOf } from '../energy/period.ts';
import { countedDays } from '../serve/mcp/counted-days.ts';
import { recordedEnergy } from '../serve/mcp/recorded-energy.ts';
import { HOURS_REACHED } from '../storage/salvage/store-loss.ts';
import type { Ground } from './ground.ts';
import type { DeviceData } from './open-data.ts';
import type { RecordedHistory } from './record-history.ts';

/** How long a start waits for totals that the history gives back; they are unknown until then. In milliseconds. */
const BACKFILL_WAIT_MS = 20_000;

export type MeasuredEnergy = Awaited<ReturnType<typeof measureEnergy>>;

/** Makes the meter of the totals, and fills hours that the store lacks from the history. */
export async function measureEnergy(
  { config, clock, logger, undo }: Ground,
  { db, store, storeProblem, losses }: DeviceData,
  { history, passed }: RecordedHistory,
) {
  const { timeZone, energyPeriod } = config;
  const energyStore = new EnergyStore(db);
  try {
    await energyStore.splitPeriod(timeZone, (topic, from) =>
      countedDays(history, topic, from, clock.now(), timeZone),
    );
  } catch (error) {
    logger.warn({ reason: messageOf(error) }, 'the energy of an earlier version stays on one day');
  }
  let areTotalsKnown = true;
  const meter = new EnergyMeter({
    store: energyStore,
    zone: timeZone,
    period: energyPeriod,
    isComplete: () => storeProblem === null && areTotalsKnown,
    onClockSet: ({ fromMs, toMs }) => passed.correct(fromMs, toMs),
    clock,
    logger,
  });
  const backfill = new AbortController();
  undo.defer(() => backfill.abort());
  const totalsSince = startOfDay(firstDayOf(meter.state.day, energyPeriod), timeZone);
  const isLost = losses.current !== null && !(Number(store.get(HOURS_REACHED)) <= totalsSince);
  const { promise: totalsFilled, resolve: fillTotals } = Promise.withResolvers<void>();
  const backfilled = backfillEnergy({
    read: (fromMs, toMs) => recordedEnergy(history, fromMs, toMs),
    meter,
    store,
    zone: timeZone,
    since: () => history.since(),
    clock,
    logger,
    signal: backfill.signal,
    onReached: (fromMs) => {
      if (fromMs <= totalsSince) fillTotals();
    },
  });
  if (isLost) {
    // Totals that lost energy would rise by what the history gives back, which their readers take for energy.
    areTotalsKnown = false;
    const filled = Promise.race([totalsFilled, backfilled]).then(() => {
      areTotalsKnown = true;
    });
    await Promise.race([filled, wait(BACKFILL_WAIT_MS, backfill.signal)]);
  }
  return { meter, hours: energyStore.hours };
}

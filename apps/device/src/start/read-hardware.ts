import { EnergyHistory } from '../energy/energy-history.ts';
import { energyCosts } from '../energy/tariffs/energy-costs.ts';
import { TariffStore } from '../energy/tariffs/tariff-store.ts';
import { countedEnergy } from '../history/reading/counted-energy.ts';
import { Collector } from '../poll/collector.ts';
import { SeenCounters } from '../poll/counters/seen-counters.ts';
import { ConnectionPoller } from '../poll/links/connection-poller.ts';
import type { Connections } from '../poll/links/connections.ts';
import { UnknownTotals } from '../poll/totals/unknown-totals.ts';
import { KnownUnits } from '../poll/units/known-units.ts';
import { SameHardware } from '../poll/units/same-hardware.ts';
import type { Ground } from './ground.ts';
import type { MeasuredEnergy } from './measure-energy.ts';
import type { DeviceData } from './open-data.ts';
import type { RecordedHistory } from './record-history.ts';

export type PolledHardware = ReturnType<typeof readHardware>;

/** Makes the collector, which polls every connection once it is started, and the energy that counters complete. */
export function readHardware(
  { config, clock, logger, undo }: Ground,
  { store }: DeviceData,
  { history, system, snapshots }: RecordedHistory,
  { meter, hours }: MeasuredEnergy,
  connections: Connections,
) {
  const { timeZone, pollIntervalMs: intervalMs } = config;
  const units = new KnownUnits(store, connections.all);
  const pollers = connections.all.map(
    ({ url, role, open, bus }) =>
      new ConnectionPoller({
        url,
        role,
        open,
        traffic: bus.traffic,
        counters: new SeenCounters(store, url),
        intervalMs,
        clock,
        logger,
      }),
  );
  const sameHardware = new SameHardware(logger);
  const unknownTotals = new UnknownTotals(logger, clock);
  const collector = new Collector({
    pollers,
    units,
    sameHardware,
    unknownTotals,
    energy: meter,
    system,
    publisher: snapshots,
    intervalMs,
    clock,
    logger,
  });
  undo.defer(async () => {
    await Promise.all([collector.stop(), connections.close()]);
  });
  const tariffs = new TariffStore({ store, zone: timeZone, clock });
  const energyHistory = new EnergyHistory({
    store: hours,
    recent: () => meter.recentHours,
    zone: timeZone,
    clock,
    costs: (energy) => energyCosts(energy, tariffs.tariffs, timeZone, clock.now()),
    counters: (fromMs, toMs) => countedEnergy(history, collector.counterTopics, fromMs, toMs),
  });
  return {
    connections: connections.all,
    units,
    pollers,
    sameHardware,
    unknownTotals,
    collector,
    tariffs,
    energyHistory,
    /** Units that no other connection reads, with their families. */
    ownUnits: () =>
      config.connections.flatMap(({ url, driver: family }) =>
        units
          .of(url)
          .filter((known) => sameHardware.ownerOf(url, known) === null)
          .map(({ unit }) => ({ ...unit, family })),
      ),
  };
}

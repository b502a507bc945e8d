import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { checkClock } from '../common/check-clock.ts';
import { PassedTime } from '../common/passed-time.ts';
import { SOFTWARE_VERSION } from '../common/software-version.ts';
import { CounterSets } from '../energy/counters/counter-sets.ts';
import { History } from '../history/history.ts';
import { SnapshotPublisher } from '../poll/snapshot.ts';
import { SystemMetrics } from '../poll/system-metrics.ts';
import { storeRetries } from '../storage/opening/temporary-store.ts';
import { attempt, type Ground } from './ground.ts';
import type { DeviceData } from './open-data.ts';

/** Setting with the last clock that was ahead. */
const CLOCK_LEAD_KEY = 'clock_lead';

const CLOCK_LEAD = Compile(Type.Object({ atMs: Type.Integer(), untilMs: Type.Integer() }));

export type RecordedHistory = Awaited<ReturnType<typeof recordHistory>>;

/** Opens the history, which records each snapshot from now on, and checks the clock against its newest reading. */
export async function recordHistory(
  { config, clock, logger, restarts, undo }: Ground,
  { db, store, storeProblem, losses, access }: DeviceData,
) {
  const { dataFolder } = config;
  const counterSets = new CounterSets(db);
  const history = undo.use(
    new History({
      folder: dataFolder,
      maxSizeMb: config.history.maxSizeMb,
      pollIntervalMs: config.pollIntervalMs,
      clock,
      logger,
      setsOf: (topic, fromMs, toMs) => counterSets.of(topic, fromMs, toMs),
      onLoss: (loss, cause) => attempt(() => losses.recordHistory(loss, cause, clock.now()), logger),
    }),
  );
  const passed = new PassedTime({
    releaseMs: Date.parse(SOFTWARE_VERSION),
    newestReading: (untilMs) => history.newest(untilMs),
    stored: store.json(CLOCK_LEAD_KEY, CLOCK_LEAD, null),
    store: (lead) => attempt(() => store.set(CLOCK_LEAD_KEY, JSON.stringify(lead)), logger),
  });
  checkClock(clock, passed.moments, logger);
  const recording =
    storeProblem === null
      ? history
      : {
          state: 'Stopped: the store of the device cannot be used',
          isRecording: false,
          counts: history.counts,
        };
  const system = new SystemMetrics({
    clock,
    dataFolder,
    siteId: () => access.site.id,
    softwareVersion: SOFTWARE_VERSION,
    history: () => recording.state,
  });
  await system.start();
  undo.defer(() => system.stop());
  const snapshots = new SnapshotPublisher();
  // Units may be numbered otherwise than the store has them.
  if (storeProblem === null) history.start(snapshots);
  else undo.use(storeRetries(storeProblem, dataFolder, (reason) => restarts?.soon(reason), logger));
  return { history, recording, passed, system, snapshots };
}

import { createLogger, ManualClock } from '@heliograph/kit';
import { defineMetric, quantities } from '@heliograph/metrics';
import { History } from '../../src/history/history.ts';
import { SnapshotPublisher } from '../../src/poll/snapshot.ts';

/** Publishes a snapshot every two seconds of a clock that runs as fast as it can, and prints the time of each. */
const [folder = '', startedAt = ''] = process.argv.slice(2);
const clock = new ManualClock(Date.parse(startedAt));
const publisher = new SnapshotPublisher();
const history = new History({
  folder,
  maxSizeMb: 100,
  pollIntervalMs: 2_000,
  clock,
  logger: createLogger('test', 'warn'),
});
history.start(publisher);

const definition = defineMetric('totals', null, quantities.power('PV power'));
let sequence = 0;
const poll = (): void => {
  const takenAt = clock.now();
  const sample = { definition, value: sequence % 5_000, readAt: takenAt, stale: false };
  publisher.publish({ sequence: ++sequence, takenAt, samples: new Map([[definition.topic, sample]]) });
  clock.advance(2_000);
  process.stdout.write(`${takenAt}\n`, () => setImmediate(poll));
};
poll();

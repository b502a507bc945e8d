import { createLogger, ManualClock } from '@heliograph/kit';
import { EnergyMeter } from '../../src/energy/energy-meter.ts';
import { EnergyStore } from '../../src/energy/energy-store.ts';
import { openDatabase } from '../../src/storage/database.ts';

/** Polls a PV power of 3,600 W that is read every two seconds as fast as it can, and prints each total it shows. */
const [folder = ''] = process.argv.slice(2);
const clock = new ManualClock(Date.parse('2026-07-15T12:00:00Z'));
const store = new EnergyStore(openDatabase(folder));
const meter = new EnergyMeter({
  store,
  clock,
  zone: 'UTC',
  period: 'monthly',
  logger: createLogger('test', 'warn'),
});

const poll = (): void => {
  const readings = new Map([['PV power', { powerW: 3_600, readAtMs: clock.monotonic() }]] as const);
  const shown = meter.advance(readings, 6_000).get('PV energy');
  clock.advance(2_000);
  process.stdout.write(`${shown ?? 0}\n`, () => setImmediate(poll));
};
poll();

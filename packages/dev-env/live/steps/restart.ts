import { assertKept, assertNoneFell, counters, curveUntil } from '../home-energy.ts';
import type { Live } from '../live.ts';
import { ENDED } from '../running-system.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';

/** A power cut takes what was read since the last write, which is a minute ago at most. */
const UNWRITTEN_MS = 61_000;

export const restart: Step = {
  name: 'restart',
  title: 'energy never falls and the curve has no loss over a stop, a kill and another start of everything',
  causes: [
    {
      log: 'device',
      pattern: ENDED,
      why: 'the step ends the device',
    },
  ],
  async run(live) {
    await keeps(live, 0, () => live.system.endBy('device', 'SIGTERM'));
    await keeps(live, UNWRITTEN_MS, () => live.system.endBy('device', 'SIGKILL'));
    await keeps(live, 0, async () => {
      await live.system.stop();
      await live.system.start();
    });
    const { id } = live.system.run.site;
    await until('the site answers through the proxy', async () => {
      const device = await live.owner().device(id);
      return (await device.value('total/load_power')) !== '';
    });
  },
};

/** @param lostMs how long before the end what was read may be lost */
async function keeps(live: Live, lostMs: number, end: () => Promise<void>): Promise<void> {
  const energies = await counters(live.device());
  const nowMs = live.clocks.now();
  const curve = await curveUntil(live.device(), nowMs);
  await end();
  const after = await until('the counters were known again', () => counters(live.device()));
  assertNoneFell(energies, after);
  assertKept(curve, await curveUntil(live.device(), nowMs), nowMs - lostMs);
}

import { keepsEnergy } from '../home-energy.ts';
import { ENDED } from '../running-system.ts';
import type { Step } from '../step.ts';

/** A power cut takes what was read since the last write, which is a minute ago at most. */
const UNWRITTEN_MS = 61_000;

export const restart: Step = {
  name: 'restart',
  title: 'energy never falls and the curve has no loss over a stop, a kill and another start of everything',
  causes: [{ log: 'device', pattern: ENDED, why: 'the step ends the device' }],
  async run(live) {
    await keepsEnergy(live, 0, () => live.endDevice('SIGTERM'));
    await keepsEnergy(live, UNWRITTEN_MS, () => live.endDevice('SIGKILL'));
    await keepsEnergy(live, 0, async () => {
      await live.system.stop();
      await live.system.start();
    });
    await live.siteAnswers();
  },
};

import { guideBlocks } from './guide.ts';
import { expectMatch, shell, until } from './shell.ts';
import type { Step } from './step.ts';
import { prepareSurroundings } from './surroundings.ts';

export const afterRebootSteps: readonly Step[] = [
  { title: 'the surroundings are there', run: prepareSurroundings },
  {
    title: 'all parts run after a reboot, and the device is read and connected again',
    async run() {
      for (const part of ['device', 'cloud', 'proxy'])
        await until(async () =>
          expectMatch(await shell(`systemctl is-active heliograph-${part} || true`), /^active/),
        );
      const read = guideBlocks('## A device').join('').trimEnd().split('\n').at(-1) ?? '';
      await until(async () => expectMatch(await shell(read), /total\/pv_power +\S+ +.*W/));
      await until(async () => expectMatch(await shell('heliograph admin proxies list'), /eu-1 .*open.* 1 /));
    },
  },
];

import { readFile } from 'node:fs/promises';
import { guideBlocks } from './guide.ts';
import { REMOTE_READ } from './install.ts';
import { readAgain } from './reading.ts';
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
      await readAgain(guideBlocks('## A device').join(''));
      await readAgain(await readFile(REMOTE_READ, 'utf8'));
    },
  },
];

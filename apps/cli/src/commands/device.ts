import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, COMPILE_CACHE } from '../target/run-file.ts';
import type { Command } from '../terminal/command.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { runForeground } from '../terminal/foreground.ts';

export const device: Command = {
  name: 'device',
  summary: 'find hardware, decode recordings of it, check a configuration',

  async run(args) {
    const main = join(CHECKOUT, 'apps/device/src/cli/main.ts');
    if (!existsSync(main)) {
      throw new CommandFailed('"heliograph device" works in a checkout of the project only');
    }
    const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
    return await runForeground(main, { args, cwd: process.cwd(), env, readsInput: true });
  },
};

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it.each([
  [['check/main.ts', 'chart'], 1, 'skipped  chart: helm is not installed'],
  [['check/main.ts', 'chart', '--allow-missing'], 0, 'skipped  chart: helm is not installed'],
  [['boot/main.ts', 'bookworm'], 1, 'skipped: '],
  [['boot/main.ts', 'bookworm', '--allow-missing'], 0, 'skipped: '],
])(
  '%j without the programs that it needs ends with %i, and names one',
  ([program = '', ...args], code, line) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '..', program), ...args],
      {
        env: { PATH: '/nonexistent' },
        encoding: 'utf8',
      },
    );
    expect([status, stdout]).toEqual([code, expect.stringMatching(new RegExp(`^${line}`))]);
  },
);

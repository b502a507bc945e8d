import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

/** Programs that are too old. */
const folder = mkdtempSync(join(tmpdir(), 'heliograph-check-'));
writeFileSync(join(folder, 'docker-compose'), '#!/bin/sh\necho 1.29.2\n', { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  [['check/main.ts', 'chart'], 1, 'skipped  chart: helm is not installed'],
  [['check/main.ts', 'chart', '--allow-missing'], 0, 'skipped  chart: helm is not installed'],
  [['check/main.ts', 'compose'], 1, 'skipped  compose: docker compose 2 or later is not installed'],
  [['boot/main.ts', 'bookworm'], 1, 'skipped: '],
  [['boot/main.ts', 'bookworm', '--allow-missing'], 0, 'skipped: '],
])(
  '%j without the programs that it needs ends with %i, and names one',
  ([program = '', ...args], code, line) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, '..', program), ...args],
      {
        env: { PATH: folder },
        encoding: 'utf8',
      },
    );
    expect([status, stdout]).toEqual([code, expect.stringMatching(new RegExp(`^${line}`))]);
  },
);

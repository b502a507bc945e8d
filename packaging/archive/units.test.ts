import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PARTS } from '../parts.ts';

it('each unit of an installed archive starts a program that the archive has', () => {
  const units = globSync(join(import.meta.dirname, 'units/*.service'));
  const started = units.flatMap((unit) =>
    [...readFileSync(unit, 'utf8').matchAll(/\/current\/(apps\/\S+)\.js/g)].map(
      ([, program = '']) => program,
    ),
  );
  expect(started.length).toBeGreaterThan(0);
  expect(started.filter((program) => !PARTS.device.programs.includes(program))).toEqual([]);
});

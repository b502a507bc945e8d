import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from '@heliograph/kit';
import { expect, test } from 'vitest';
import { configFromEnv } from './config.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/operating-a-proxy.md'), 'utf8');
const REQUIRED = { CLOUD_URL: 'https://cloud.example', PROXY_CREDENTIAL: `hgp_${'s'.repeat(43)}` };

/** The first two cells of every row about a variable of the proxy. */
const [, section = ''] = PAGE.split('\n## Environment\n');
const ROWS = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(
  ([, name = '', cell = '']): [string, string] => [name, cell],
);

test('docs/operating-a-proxy.md names every variable of the proxy, and no other', () => {
  const requested = new Set<string>();
  const spy = new Proxy<Record<string, string>>(REQUIRED, {
    get: (values, name) => {
      requested.add(String(name));
      return values[String(name)];
    },
  });
  configFromEnv(new Env(spy));
  expect(ROWS.map(([name]) => name).toSorted()).toEqual([...requested, 'LOG_LEVEL'].toSorted());
});

test('docs/operating-a-proxy.md has the defaults of the code', () => {
  const announced = ROWS.flatMap(([name, cell]) => {
    const [, value] = /^`([^`]+)`$/.exec(cell) ?? [];
    return value === undefined || value === 'CLOUD_URL' ? [] : [[name, value]];
  });
  expect(announced.length).toBeGreaterThan(20);
  const withDefaults = configFromEnv(new Env({ ...REQUIRED, ...Object.fromEntries(announced) }));
  expect(withDefaults).toEqual(configFromEnv(new Env(REQUIRED)));
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { DRIVERS } from '../../test/config/check-text.ts';
import { loadConfig } from './config.ts';
import { ConfigFile } from './config-file.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/operating-a-device.md'), 'utf8');

/** The first two cells of every row that begins with a name in code, below a heading. */
function rowsBelow(heading: string): [string, string][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, name = '', cell = '']) => [name, cell]);
}

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly default?: unknown;
}

/** Every setting there is and its default, as the page names them. */
function settingsIn({ properties = {} }: Described, prefix = ''): [string, string | undefined][] {
  return Object.entries(properties).flatMap(([name, schema]): [string, string | undefined][] => {
    const inner = schema.items ?? schema;
    const below = settingsIn(inner, `${prefix}${name}${schema.items === undefined ? '' : '[]'}.`);
    const own = schema.default === undefined ? undefined : `\`${schema.default}\``;
    return [[`${prefix}${name}`, own], ...below];
  });
}

describe('docs/operating-a-device.md', () => {
  it('the page names every setting of the configuration file, and its default', () => {
    const documented = new Map(rowsBelow('Configuration file'));
    for (const [name, fallback] of settingsIn(ConfigFile as Described)) {
      if (name === 'history') continue;
      expect([...documented.keys()]).toContain(name);
      if (fallback !== undefined) expect([name, documented.get(name)]).toEqual([name, fallback]);
    }
  });

  it('the page names every variable of the environment', () => {
    const requested = new Set<string>();
    const spy = new Proxy<Record<string, string>>(
      { DEVICE_DATA: '/nowhere' },
      {
        get: (values, name) => {
          requested.add(String(name));
          return values[String(name)];
        },
      },
    );
    loadConfig(new Env(spy), DRIVERS);
    const documented = rowsBelow('Environment').map(([name]) => name);
    expect(documented.toSorted()).toEqual([...requested, 'LOG_LEVEL'].toSorted());
  });
});

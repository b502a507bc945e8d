import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DriverFamily } from '../../apps/device/src/drivers/driver.ts';
import { transportsOf } from '../../apps/device/src/drivers/transports.ts';
import { pageOf } from './pages.ts';
import { table } from './tables.ts';

const HEAD = `# Hardware

Every driver, made by \`npm run drivers:pages\` from the maps and the recordings. Recordings come from real hardware; their
values are those on its owner's display or in its program, and tests compare them. A fact of one source appears in a single
public map. [profiles.md](profiles.md) describes how to add an inverter, [recordings.md](recordings.md) how to record one.
`;

/** The page that lists every driver, and what its map rests on. */
export function hardwarePage(families: ReadonlyMap<string, DriverFamily>): string {
  const rows = [...families.values()].map((family) => {
    const { name, title, describedUnits } = family;
    const described = describedUnits.flatMap((unit) => unit.rows);
    const settings = described.filter(({ quantity }) => quantity.setting !== undefined).length;
    const { recordings, values } = recordingsOf(family);
    const single = described.filter(({ remark = '' }) => remark.startsWith('one source')).length;
    return [
      `[\`${name}\`](../apps/device/src/drivers/${name}/README.md)`,
      title,
      transportsOf(family)
        .map((transport) => `\`${transport}\``)
        .join(' '),
      ...[described.length - settings, settings].map(String),
      recordings === 0 ? 'none' : String(recordings),
      String(values),
      String(single),
    ];
  });
  const columns = [
    'driver',
    'hardware',
    'connected through',
    'metrics',
    'settings',
    'recordings',
    'values in them',
    'facts of one source',
  ];
  return `${HEAD}\n${table(columns, rows).join('\n')}\n`;
}

function recordingsOf(family: DriverFamily): { readonly recordings: number; readonly values: number } {
  const folder = join(dirname(pageOf(family)), 'captures');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  const values = files.map((file) => {
    const { expected_topics: topics = {} } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      readonly expected_topics?: object;
    };
    return Object.keys(topics).length;
  });
  return { recordings: files.length, values: values.reduce((sum, count) => sum + count, 0) };
}

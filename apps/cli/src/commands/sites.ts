import type { SiteSummary } from '@heliograph/client';
import { type Column, parseArguments, printable, table } from '@heliograph/kit/terminal';
import { openCloud } from '../target/target.ts';
import { ageLabel } from '../terminal/age.ts';
import type { Command } from '../terminal/command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

/** A connected device is seen every few seconds; one not seen for this long is offline, in milliseconds. */
const ONLINE_WITHIN_MS = 60_000;

const DEFAULT_LIMIT = 100;

const COLUMNS: readonly Column[] = [
  { title: 'ID', align: 'right' },
  { title: 'NAME' },
  { title: 'SEEN' },
  { title: 'INVERTER' },
  { title: 'BATTERY' },
];

export const sites: Command = {
  name: 'sites',
  summary: 'list the sites of your account',
  help: `heliograph sites [QUERY...] [--limit N] [--offset N] [--json]

Lists sites: id, name, when the device was last seen, inverter, battery.
QUERY is words to search for, and exact filters such as name:my-site.

  --limit N   at most N sites, 1 to 200 (default ${DEFAULT_LIMIT})
  --offset N  leave out the first N
  --json      print JSON instead of a table`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      limit: { type: 'string', default: String(DEFAULT_LIMIT) },
      offset: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    });
    const limit = wholeNumber('limit', values.limit, 1, 200);
    const offset = wholeNumber('offset', values.offset, 0, Number.MAX_SAFE_INTEGER);
    const q = positionals.join(' ');
    const rows = await openCloud().listSites({ limit, offset, ...(q === '' ? {} : { q }) });
    if (values.json) terminal.print(JSON.stringify(rows, null, 2));
    else printTable(rows, terminal);
    if (rows.length === limit)
      terminal.warn(`There may be more sites: --offset ${offset + limit} shows the next`);
    return 0;
  },
};

function printTable(rows: readonly SiteSummary[], terminal: Terminal): void {
  if (rows.length === 0) {
    terminal.warn('No sites');
    return;
  }
  const now = Date.now();
  const cells = rows.map((site) => [
    String(site.id),
    printable(site.name ?? '-'),
    seenText(site.last_seen_at, now),
    countText(site.inverter, site.inverter_count),
    countText(site.battery, site.battery_count),
  ]);
  for (const line of table(COLUMNS, cells, { title: (text) => terminal.bold(text) })) terminal.print(line);
}

function seenText(lastSeenAt: string | null, nowMs: number): string {
  const ageMs = nowMs - Date.parse(lastSeenAt ?? '');
  if (Number.isNaN(ageMs)) return 'never';
  return ageMs < ONLINE_WITHIN_MS ? 'online' : `${ageLabel(ageMs)} ago`;
}

function countText(model: string | null, count: number): string {
  if (model === null) return '-';
  return count > 1 ? `${printable(model)} × ${count}` : printable(model);
}

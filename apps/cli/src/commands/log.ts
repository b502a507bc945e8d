import type { SettingWrite } from '@heliograph/client';
import { type Column, parseArguments, printable, printableJson, table } from '@heliograph/kit/terminal';
import { DEVICE_OPTIONS, DEVICE_OPTIONS_HELP } from '../target/device-options.ts';
import { openTarget } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

const DEFAULT_LIMIT = 20;

const COLUMNS: readonly Column[] = [
  { title: 'ID', align: 'right' },
  { title: 'TIME' },
  { title: 'WHO' },
  { title: 'TOPIC' },
  { title: 'OLD' },
  { title: 'NEW' },
  { title: 'OUTCOME' },
];

export const log: Command = {
  name: 'log',
  summary: 'tell who changed which setting, and when',
  help: `heliograph log SITE [--limit N] [--before ID] [--json]
heliograph log --device HOST[:PORT] [--limit N] [--before ID] [--json]

Lists the writes to the hardware of a site that were tried, the newest first, for those who may change settings.
An outcome is "so far" while later readings may correct it, with the time until when they usually do; one that they did
correct has the time of the reading.

  --limit N             at most N writes, 1 to 200 (default ${DEFAULT_LIMIT})
  --before ID           only writes before this one
  --json                print JSON instead of a table
${DEVICE_OPTIONS_HELP}`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      limit: { type: 'string', default: String(DEFAULT_LIMIT) },
      before: { type: 'string' },
      json: { type: 'boolean', default: false },
      ...DEVICE_OPTIONS,
    });
    const limit = wholeNumber('limit', values.limit, 1, 200);
    const before =
      values.before === undefined ? {} : { before: wholeNumber('before', values.before, 1, 999_999_999_999) };
    const { device } = await openTarget(values, positionals, []);
    const writes = await device.settingWrites({ limit, ...before });
    if (values.json) terminal.print(printableJson(writes));
    else printTable(writes, terminal);
    const last = writes.at(-1);
    if (last !== undefined && writes.length === limit)
      terminal.warn(`There may be more: --before ${last.id} shows the next`);
    return 0;
  },
};

function printTable(writes: readonly SettingWrite[], terminal: Terminal): void {
  if (writes.length === 0) {
    terminal.warn('No writes');
    return;
  }
  const isAlongShown = writes.some((write) => alongWith(write) !== '');
  const columns = isAlongShown ? [...COLUMNS, { title: 'ALSO CHANGED' }] : COLUMNS;
  const cells = writes.map((write) => {
    const { id, at, author, via, topic, old_value: before, new_value: after } = write;
    const change = [String(id), localTime(at), `${author} (${via})`, topic, before ?? '-', after];
    return [...change, outcomeOf(write), ...(isAlongShown ? [alongWith(write)] : [])].map(printable);
  });
  for (const line of table(columns, cells, { title: (text) => terminal.bold(text) })) terminal.print(line);
}

/**
 * The outcome, its reason, and the time of the reading that corrected it, or until when one may; devices of earlier versions
 * store none of these.
 *
 * @example rejected: no permission
 * @example ok, read at 2026-06-01 14:00:05
 */
function outcomeOf(write: SettingWrite): string {
  const { outcome, reason, pending, settled_at: settledAt, settles_by: settlesBy = null } = write;
  const isUnsettled = outcome === 'unknown' && pending;
  const text = isUnsettled ? 'unknown so far' : outcome;
  const explained = reason == null || reason === outcome ? text : `${text}: ${reason.replaceAll('_', ' ')}`;
  if (settlesBy !== null) return `${explained}, until ${localTime(settlesBy)}`;
  return settledAt == null ? explained : `${explained}, read at ${localTime(settledAt)}`;
}

/** A device of an earlier version does not list these. */
function alongWith({ also_changed: changes = [] }: SettingWrite): string {
  return changes
    .map(({ topic, old_value: before, new_value: after }) => `${topic} ${before} -> ${after}`)
    .join(', ');
}

/** `2026-06-01 14:00:00`, in the reader's time zone. */
function localTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleString('sv-SE');
}

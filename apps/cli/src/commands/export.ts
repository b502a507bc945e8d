import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type CloudClient, type DataExport } from '@heliograph/client';
import {
  type Column,
  expectArguments,
  parseArguments,
  printable,
  table,
  UsageError,
} from '@heliograph/kit/terminal';
import { withOwnSession } from '../target/own-session.ts';
import { findSite } from '../target/target.ts';
import type { Command } from '../terminal/command.ts';
import { csvLocale } from '../terminal/csv-locale.ts';
import { CommandFailed } from '../terminal/failures.ts';
import { saveFile } from '../terminal/save-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

/** How often it looks whether an archive is ready, and how long, in milliseconds. */
const POLL_MS = 1_000;
const PATIENCE_MS = 10 * 60_000;

/** The largest id of a record. */
const MAX_ID = 2 ** 31 - 1;

const COLUMNS: readonly Column[] = [
  { title: 'ID', align: 'right' },
  { title: 'SITE' },
  { title: 'READY' },
  { title: 'UNTIL' },
  { title: 'BYTES', align: 'right' },
];

export const exportData: Command = {
  name: 'export',
  summary: 'take along what the cloud has about you, or about a site',
  help: `heliograph export [SITE] [--csv-locale LOCALE] [--output FILE]
heliograph export --list [--json]
heliograph export --id ID [--output FILE]

Makes an archive of what the cloud has about your account, or about a site that you own or manage, and saves it: a ZIP
with JSON and CSV. Archives can be downloaded for seven days. SITE is a site's id or name. No token may do this: it asks
for your password, and for a code if you have an authenticator app, or reads both from standard input, a line each. With
passkeys alone it prints the address of a page on which you use one.

  --list                list the archives instead
  --json                print JSON instead of a table
  --id ID               save an archive that was made before
  --csv-locale LOCALE   make the CSV as spreadsheets of a language open it, such as de, en-GB or fr-CH: with a byte order
                        mark, and its separators
  -o, --output FILE     save it here, where no file is yet (default: export-ID.zip)`,

  async run(args, terminal) {
    const { values, positionals } = parseArguments(args, {
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      id: { type: 'string' },
      'csv-locale': { type: 'string' },
      output: { type: 'string', short: 'o' },
    });
    const [site] = positionals;
    if (values.list || values.id !== undefined || site === undefined) expectArguments(positionals, []);
    else expectArguments(positionals, ['site']);
    if (values.list && (values.id !== undefined || values.output !== undefined))
      throw new UsageError('--list lists archives, and saves none');
    if (values.json && !values.list) throw new UsageError('--json is for --list');
    const locale = csvLocale(values['csv-locale']);
    if (locale !== undefined && (values.list || values.id !== undefined))
      throw new UsageError('--csv-locale is for archives that are made now');
    const given = values.id === undefined ? undefined : wholeNumber('id', values.id, 1, MAX_ID);
    return await withOwnSession(terminal, async (cloud) => {
      if (values.list) printList(await cloud.listExports(), values.json, terminal);
      else {
        const id = given ?? (await make(cloud, site, locale, terminal));
        const path = values.output ?? `export-${id}.zip`;
        await save(cloud, id, path);
        terminal.print(path);
      }
      return 0;
    });
  },
};

/** @returns the id of an archive, once it is made */
async function make(
  cloud: CloudClient,
  site: string | undefined,
  locale: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const about = site === undefined ? {} : { site_id: (await findSite(cloud, site)).id };
  const { id } = await cloud.requestExport({ ...about, ...(locale !== undefined && { csv_locale: locale }) });
  terminal.warn(`Archive ${id} is being made`);
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += POLL_MS) {
    const made = (await cloud.listExports()).find((each) => each.id === id);
    if (made !== undefined && made.ready_at !== null) return id;
    await delay(POLL_MS);
  }
  throw new CommandFailed(`Archive ${id} takes longer: "heliograph export --id ${id}" saves it later`);
}

async function save(cloud: CloudClient, id: number, path: string): Promise<void> {
  const archive = await cloud.downloadExport({ id }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404)
      throw new CommandFailed(`There is no archive ${id}; "heliograph export --list" lists them`);
    throw error;
  });
  await saveFile(path, archive);
}

function printList(list: readonly DataExport[], isJson: boolean, terminal: Terminal): void {
  if (isJson) {
    terminal.print(JSON.stringify(list, null, 2));
    return;
  }
  if (list.length === 0) {
    terminal.warn('No archives');
    return;
  }
  const cells = list.map(({ id, site, ready_at: readyAt, expires_at: expiresAt, size }) => [
    String(id),
    site === null ? '-' : printable(site.name ?? String(site.id)),
    readyAt === null ? 'being made' : timeText(readyAt),
    timeText(expiresAt),
    size === null ? '-' : String(size),
  ]);
  for (const line of table(COLUMNS, cells, { title: (text) => terminal.bold(text) })) terminal.print(line);
}

/** UTC, to the second. */
function timeText(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

import type { ProxySummary } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { expectArguments, parseArguments, printable } from '@heliograph/kit/terminal';
import { OPERATOR } from '../../../access/caller.ts';
import {
  forget as forgetProxy,
  proxiesOf,
  remove as removeProxy,
  wantDrain,
} from '../../../devices/proxies/administration.ts';
import { listProxyCredentials } from '../../../devices/proxies/credentials.ts';
import type { Platform } from '../../../platform.ts';
import { type AdminCommand, CommandFailed, type CommandResult } from '../command.ts';
import { type Columns, listing, minuteOf, record } from '../layout.ts';
import {
  type PresentedProxyCredential,
  presentProxyCredential,
  proxyCredentialCommands,
} from './proxy-credentials.ts';

const list: AdminCommand = {
  name: 'proxies list',
  usage: '',
  summary: 'list proxies, and how many devices each holds',
  async run(args, context) {
    expectArguments(parseArguments(args, {}).positionals, []);
    const platform = await context.openPlatform();
    const { db } = platform;
    const credentials = Map.groupBy(await listProxyCredentials(db), ({ proxyName }) => proxyName);
    const announced = await proxiesOf(platform);
    const names = new Set([...announced.map(({ name }) => name), ...credentials.keys()]);
    const listed = [...names].sort().map((name): ListedProxy => {
      const summary = announced.find((proxy) => proxy.name === name) ?? { ...NEVER_ANNOUNCED, name };
      return { ...summary, credentials: (credentials.get(name) ?? []).map(presentProxyCredential) };
    });
    return listing(listed, COLUMNS, 'proxies');
  },
};

const drain = aboutOne('drain', 'have a proxy emptied: its devices move to others, and none is sent to it', {
  help: `The proxy serves its devices until they have moved, and stays empty, also after a restart, until
"proxies undrain".`,
  change: (platform, name) => drained(wantDrain(platform, OPERATOR, name, true)),
});

const undrain = aboutOne('undrain', 'let a proxy have devices again', {
  change: (platform, name) => drained(wantDrain(platform, OPERATOR, name, false)),
});

const remove = aboutOne('remove', 'remove a proxy for good: end its credentials and forget it', {
  help: `Also one that still runs: what it announces is refused from now on, and its devices are offline until they have
dialled another one. To have them move first, use "proxies drain".`,
  async change(platform, name) {
    await removeProxy(platform, OPERATOR, name);
    return record({ name, removed: true }, { name, removed: true });
  },
});

const forget = aboutOne('forget', 'forget a proxy that is gone for good', {
  help: `One that is still heard of comes back: end it first. Its credentials stay, with which it may come back; "proxies remove"
ends them too.`,
  async change(platform, name) {
    if (await forgetProxy(platform, OPERATOR, name))
      return record({ name, forgotten: true }, { name, forgotten: true });
    throw new CommandFailed(`${printable(name)} is still heard of: end it first, and wait for 20 seconds`);
  },
});

function aboutOne(
  verb: string,
  summary: string,
  { help, change }: { help?: string; change: (platform: Platform, name: string) => Promise<CommandResult> },
): AdminCommand {
  return {
    name: `proxies ${verb}`,
    usage: 'NAME',
    summary,
    ...(help !== undefined && { help }),
    async run(args, context) {
      const { positionals } = parseArguments(args, {});
      expectArguments(positionals, ['name']);
      const [name = ''] = positionals;
      return change(await context.openPlatform(), name).catch((error: unknown) => {
        throw error instanceof NotFound ? new CommandFailed(`There is no proxy ${printable(name)}`) : error;
      });
    },
  };
}

async function drained(change: Promise<{ proxy: ProxySummary; changed: boolean }>): Promise<CommandResult> {
  const { proxy, changed } = await change;
  return {
    ...record(proxy, {
      name: proxy.name,
      region: proxy.region,
      state: proxy.state,
      'drain wanted': proxy.drain_wanted,
      devices: proxy.sessions,
      capacity: proxy.capacity,
      announced: minuteOf(proxy.announced_at),
    }),
    note: changed ? undefined : 'It was so already',
  };
}

/** A proxy as it announced itself, or before it ever did, and what it authenticates with. */
interface ListedProxy extends Omit<ProxySummary, 'state' | 'announced_at' | NotAnnounced> {
  readonly state: ProxySummary['state'] | 'new';
  readonly region: string | null;
  readonly host: string | null;
  readonly url: string | null;
  readonly capacity: number | null;
  readonly announced_at: string | null;
  readonly credentials: readonly PresentedProxyCredential[];
}
type NotAnnounced = 'region' | 'host' | 'url' | 'capacity';

const NEVER_ANNOUNCED = {
  region: null,
  region_domain: null,
  host: null,
  url: null,
  state: 'new',
  drain_wanted: false,
  sessions: 0,
  capacity: null,
  announced_at: null,
} as const;

const COLUMNS: Columns<ListedProxy> = [
  ['NAME', ({ name }) => name],
  ['REGION', ({ region }) => region],
  ['HOST', ({ host }) => host],
  ['STATE', ({ state }) => state],
  ['DRAIN WANTED', (proxy) => proxy.drain_wanted],
  ['DEVICES', ({ sessions }) => sessions, 'right'],
  ['CAPACITY', ({ capacity }) => capacity, 'right'],
  ['CREDENTIALS', ({ credentials }) => credentials.length, 'right'],
  ['ANNOUNCED', (proxy) => minuteOf(proxy.announced_at)],
];

export const proxyCommands: readonly AdminCommand[] = [
  list,
  ...proxyCredentialCommands,
  drain,
  undrain,
  forget,
  remove,
];

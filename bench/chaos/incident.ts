import type { System } from '@heliograph/dev-env';
import { withConnection } from '@heliograph/dev-env/postgres';
import { hasEnded } from '@heliograph/dev-env/process-table';
import { type Probe, until } from './probe.ts';
import { type Successor, successorOf } from './successor.ts';

/**
 * Parts that are killed. `proxy`: the one that holds the device, started again at once; `proxy machine`: the same, but it stays
 * away while the other one is there.
 */
export const VICTIMS = ['proxy', 'device', 'cloud', 'database', 'proxy machine'] as const;
export type Victim = (typeof VICTIMS)[number];

/** One kill and its consequences. Times are milliseconds since the epoch. */
export interface Incident {
  readonly victim: Victim;
  /** The host whose connections may break and be refused until it listens again. */
  readonly host: string | undefined;
  readonly killedAt: number;
  readonly listeningAt: number;
  /** When a client that behaves as documented could authorize and read the site again. */
  readonly backAt: number;
}

/** How long a machine takes to start, in milliseconds. */
const MACHINE_START_MS = 12_000;
const KILL_MS = 5_000;

interface Mortal extends Successor {
  readonly host: string | undefined;
  kill(): void;
}

/** Kills, and waits until everything is well again. @throws Error when that takes longer than a minute */
export async function inflict(system: System, probe: Probe, victim: Victim): Promise<Incident> {
  const mortal = await mortalOf(system, probe, victim);
  const killedAt = Date.now();
  mortal.kill();
  await mortal.ended(KILL_MS);
  const [listeningAt, backAt] = await Promise.all([
    mortal.listening().then(() => Date.now()),
    isBack(probe, victim).then(() => Date.now()),
  ]);
  return { victim, host: mortal.host, killedAt, listeningAt, backAt };
}

async function isBack(probe: Probe, victim: Victim): Promise<void> {
  if (victim === 'cloud' || victim === 'database') await probe.untilAuthorized();
  await probe.untilReadable();
}

async function mortalOf({ parts, run }: System, probe: Probe, victim: Victim): Promise<Mortal> {
  const { device, cloud, postgres } = parts;
  if (victim === 'database') {
    if (postgres?.pid === undefined) throw new Error('the database is not ours to kill');
    return mortalDatabase(postgres.pid, run.cloud.database_url);
  }
  const host = {
    cloud: new URL(run.cloud.url).host,
    device: undefined,
    proxy: await probe.untilAuthorized(),
  };
  const part = { cloud, device, proxy: await holder(parts.proxies, host.proxy) };
  const kind = victim === 'proxy machine' ? 'proxy' : victim;
  const downMs = victim === 'proxy machine' ? MACHINE_START_MS : 0;
  return {
    ...successorOf(part[kind]),
    host: host[kind],
    kill: () => part[kind].kill('SIGKILL', downMs),
  };
}

function mortalDatabase(pid: number, url: string): Mortal {
  return {
    host: undefined,
    kill: () => process.kill(pid, 'SIGKILL'),
    async ended(timeoutMs) {
      if (!(await hasEnded(pid, timeoutMs))) throw new Error('the database does not end');
    },
    listening: () => until('the database', () => answers(url)),
  };
}

type Proxy = System['parts']['proxy'];

async function holder(proxies: readonly Proxy[], host: string): Promise<Proxy> {
  for (const proxy of proxies) {
    if ((await proxy.ready()).host === host) return proxy;
  }
  throw new Error(`the cloud names ${host}, which is none of the proxies`);
}

function answers(databaseUrl: string): Promise<boolean> {
  return withConnection(databaseUrl, async (client) => await client.query('select 1')).then(
    () => true,
    () => false,
  );
}

import type { System } from '@heliograph/dev';
import { type PostgresServer, withConnection } from '@heliograph/dev/postgres';
import { hasEnded } from '@heliograph/dev/process-table';
import { type Probe, until } from './probe.ts';
import type { ReplicatedDatabase } from './replicated-database.ts';
import { type Successor, successorOf } from './successor.ts';

/**
 * Parts that are killed. `proxy`: the one that holds the device, started again at once; `proxy machine`: the same, but it stays
 * away while the other one is there.
 */
export const VICTIMS = ['proxy', 'device', 'cloud', 'database', 'proxy machine'] as const;
/** `primary`: the database's first server, for good; its standby is promoted. */
export type Victim = (typeof VICTIMS)[number] | 'primary';

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

/** The system that is hurt. */
export interface Subject {
  readonly system: System;
  readonly database: ReplicatedDatabase;
  readonly probe: Probe;
}

/** Kills, and waits until everything is well again. @throws Error when that takes longer than a minute */
export async function inflict(subject: Subject, victim: Victim): Promise<Incident> {
  const { probe } = subject;
  const mortal = await mortalOf(subject, victim);
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
  if (victim === 'cloud' || victim === 'database' || victim === 'primary') await probe.untilAuthorized();
  await probe.untilReadable();
}

async function mortalOf({ system, database, probe }: Subject, victim: Victim): Promise<Mortal> {
  const { parts, run } = system;
  const { device, cloud } = parts;
  if (victim === 'database') return mortalDatabase(database.primary);
  if (victim === 'primary') return mortalPrimary(database);
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

function mortalDatabase(server: PostgresServer): Mortal {
  const pid = server.pid ?? 0;
  return {
    host: undefined,
    kill: () => process.kill(pid, 'SIGKILL'),
    async ended(timeoutMs) {
      if (!(await hasEnded(pid, timeoutMs))) throw new Error('the database does not end');
    },
    listening: () => until('the database', () => answers(server.url())),
  };
}

function mortalPrimary(database: ReplicatedDatabase): Mortal {
  let replaced: Promise<void> = Promise.resolve();
  return {
    host: undefined,
    kill: () => {
      replaced = database.replacePrimary();
    },
    ended: async () => undefined,
    listening: () => replaced,
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

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCloudClient } from '@heliograph/client';
import { type System, startSystem } from '@heliograph/dev';
import { Dice } from './dice.ts';
import { evidenceFaults } from './evidence.ts';
import { type Footprint, footprintFaults, returnedFootprints, settledFootprints } from './footprint.ts';
import { type Incident, inflict, type Subject, VICTIMS } from './incident.ts';
import { Load } from './load.ts';
import { Probe } from './probe.ts';
import { ReplicatedDatabase } from './replicated-database.ts';
import { restartFaults, restartInTurn, type Turn } from './rolling-restart.ts';
import { failureFaults, incidentFaults } from './verdict.ts';

export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  /** Receives a line for each step. */
  readonly print: (line: string) => void;
}

export interface ChaosReport {
  readonly incidents: readonly Incident[];
  readonly turns: readonly Turn[];
  /** While processes were killed, and while the proxies were restarted in order. */
  readonly loads: { readonly chaos: Load; readonly restart: Load };
  readonly footprints: { readonly before: readonly Footprint[]; readonly after: readonly Footprint[] };
  /** Broken rules, a sentence each. */
  readonly faults: readonly string[];
}

/** A clear summer noon: every flow is there, so the device has all its topics. */
const PLANT_START = '2026-06-21T12:00:00+02:00';
/** Before the first look at memory, and again before the last one, so that both are of processes that have worked. */
const EXERCISE_MS = 20_000;
/** The same before anything is killed: the cloud's heap grows over its first 1,400 requests, and then no more. */
const FIRST_EXERCISE_MS = 60_000;
/** Between one kill's end and the next kill. */
const CALM_MS = { from: 3_000, to: 8_000 };
/** How long the streams may take until they have all come back: as long as their longest wait, and some more. */
const STREAMS_MS = 40_000;

/** Kills one part after the other under load, restarts both proxies in order, and checks the outcome against the rules. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  await using undo = new AsyncDisposableStack();
  const dataFolder = await mkdtemp(join(tmpdir(), 'heliograph-chaos-'));
  undo.defer(() => rm(dataFolder, { recursive: true, force: true }));
  const writesFile = join(dataFolder, 'plant-writes.jsonl');
  await chmod(dataFolder, 0o711);
  const database = undo.use(await ReplicatedDatabase.start(dataFolder));
  const system = undo.use(await startChaosSystem(join(dataFolder, 'system'), writesFile, database.url));
  using probe = await Probe.of(system);
  const { seed, print } = options;

  print('Exercising the system, for its memory before');
  const before = await exercised(system, seed + 1, FIRST_EXERCISE_MS);
  const attempts = [...before.load.attempts];
  const footprintsBefore = await settledFootprints(system);

  await using chaos = await Load.start(system, seed + 2);
  const incidents = await killInTurn({ system, database, probe }, options);
  const streamFaults = await untilStreamsLive(chaos);
  await chaos.stop();

  print('Restarting both proxies in order');
  await using restart = await Load.start(system, seed + 3);
  const turns = await restartInTurn(system, probe);
  streamFaults.push(...(await untilStreamsLive(restart)));
  await restart.stop();

  print('Exercising the system, for its memory after');
  const after = await exercised(system, seed + 4);
  const footprints = { before: footprintsBefore, after: await returnedFootprints(system, footprintsBefore) };
  attempts.push(...chaos.attempts, ...restart.attempts, ...after.load.attempts);

  const { cloud, account, site } = system.run;
  const device = await createCloudClient({ url: cloud.url, token: account.api_token }).device(site.id);
  const faults = [
    ...(await evidenceFaults(attempts, device, writesFile)),
    ...failureFaults(incidents, chaos.journal),
    ...incidentFaults(incidents, chaos.journal),
    ...restartFaults(turns, restart.journal),
    ...streamFaults,
    ...footprintFaults(footprints.before, footprints.after),
  ];
  return { incidents, turns, loads: { chaos, restart }, footprints, faults };
}

/**
 * With two proxies, and settings that may be written as often as a load of writers wants.
 *
 * @param databaseUrl a database of its own
 * @param programFolder of bundled programs, instead of the sources
 */
export function startChaosSystem(
  dataFolder: string,
  writesFile: string,
  databaseUrl: string,
  programFolder?: string,
): Promise<System> {
  return startSystem({
    dataFolder,
    databaseUrl,
    ...(programFolder !== undefined && { programFolder }),
    proxies: 2,
    fast: true,
    settingWritesPerDay: 100_000,
    plant: { start: PLANT_START },
    env: { plant: { PLANT_WRITES: writesFile } },
  });
}

async function exercised(system: System, seed: number, durationMs = EXERCISE_MS): Promise<{ load: Load }> {
  const load = await Load.start(system, seed);
  await delay(durationMs);
  await load.stop();
  return { load };
}

async function killInTurn(
  subject: Subject,
  { minutes, seed, print }: ChaosOptions,
): Promise<readonly Incident[]> {
  const dice = new Dice(seed);
  const endsAt = Date.now() + minutes * 60_000;
  const incidents: Incident[] = [];
  for (let turn = 0; Date.now() < endsAt; turn++) {
    await delay(dice.between(CALM_MS.from, CALM_MS.to));
    const victim = VICTIMS[turn % VICTIMS.length] ?? 'proxy';
    print(`Killing the ${victim}`);
    incidents.push(await inflict(subject, victim));
  }
  await delay(CALM_MS.from);
  print('Killing the primary of the database, and promoting its standby');
  incidents.push(await inflict(subject, 'primary'));
  await delay(CALM_MS.to);
  return incidents;
}

/** @returns the faults of the streams, a sentence each */
async function untilStreamsLive({ followers }: Load): Promise<string[]> {
  const deadline = Date.now() + STREAMS_MS;
  while (Date.now() < deadline && !followers.every(({ isLive }) => isLive)) await delay(100);
  const dead = followers.filter(({ isLive }) => !isLive).map(() => 'a stream did not come back');
  return [...dead, ...followers.flatMap(({ faults }) => faults)];
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunFile, startSystem } from '../index.ts';
import { reservedPorts } from './ports.ts';
import { createTestDatabase } from './test-database.ts';
import { testProgramFolder } from './test-programs.ts';

/** The plant's own clock starts at a clear summer noon of its zone, so that every flow is there to be seen. */
const PLANT_NOON = { start: '2026-06-21T12:00:00+02:00', timeZone: 'Europe/Berlin' };

type System = Awaited<ReturnType<typeof startSystem>>;

/** Cloud, proxies and device. */
const PORTS = 4;

/** A whole system on free ports in a throw-away folder. */
export interface TestSystem {
  readonly run: RunFile;
  readonly parts: System['parts'];
  readonly dataFolder: string;
  /** Of each part, a file `NAME.log`. */
  readonly logFolder: string;
  stop(): Promise<void>;
}

export interface TestSystemOptions {
  readonly fullPlant?: boolean;
  /** Another program of the cloud, with more environment. */
  readonly cloud?: { readonly program: string; readonly env: Readonly<Record<string, string>> };
}

/** Boots a system on a database of the run's PostgreSQL: one of its own takes as long to start as all the rest. */
export async function startTestSystem({
  fullPlant = false,
  cloud,
}: TestSystemOptions = {}): Promise<TestSystem> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'heliograph-test-'));
  const database = await createTestDatabase();
  const system = await startSystem({
    dataFolder,
    databaseUrl: database.url,
    programFolder: await testProgramFolder(),
    basePort: await reservedPorts(PORTS),
    fast: true,
    pollIntervalMs: 500,
    plant: { ...PLANT_NOON, full: fullPlant },
    // So that each request has a line.
    env: {
      proxy: { LOG_LEVEL: 'debug' },
      device: { LOG_LEVEL: 'debug' },
      ...(cloud === undefined ? {} : { cloud: cloud.env }),
    },
    programs: cloud === undefined ? {} : { cloud: cloud.program },
  });
  return {
    run: system.run,
    parts: system.parts,
    dataFolder,
    logFolder: system.logFolder,
    async stop() {
      await system.stop();
      await database.drop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

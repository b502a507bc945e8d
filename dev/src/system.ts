import { join } from 'node:path';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import { openDataFolder } from './data-folder/data-folder.ts';
import { ensureSecrets, proxyIdentity } from './data-folder/secrets.ts';
import { assertPortsAvailable, portsFrom } from './machine/ports.ts';
import {
  type CloudFacts,
  type DeviceFacts,
  type ExtraEnv,
  type OtherPrograms,
  PartFactory,
  type ProxyFacts,
} from './parts.ts';
import type { PlantFacts } from './plant/index.ts';
import { lastPlantPort, rememberPlantPort } from './plant-port.ts';
import { ensureDatabase, PostgresServer } from './postgres/index.ts';
import { type RunFile, removeRunFile, writeRunFile } from './run-file.ts';
import { registerDemoSite, untilOnline } from './seed.ts';
import { StartDeadline } from './start-deadline.ts';
import { LogFile, type ManagedProcess, ProcessJournal } from './supervisor/index.ts';

export interface SystemOptions {
  /** All data of the system; created where it is missing. */
  readonly dataFolder: string;
  /** The cloud's port; the proxy and the device take the next two, further proxies those after. Default 0: free ones. */
  readonly basePort?: number;
  /** How many proxies there are, all of one region. Default 1. */
  readonly proxies?: number;
  /** A database to use instead of a PostgreSQL of our own. */
  readonly databaseUrl?: string;
  /** A folder with the bundled programs of a package. Default: the sources of the checkout. */
  readonly programFolder?: string;
  /** For tests: other programs in place of parts. */
  readonly programs?: OtherPrograms;
  /** For tests: nothing is flushed to disk, and the device polls often. */
  readonly fast?: boolean;
  /** How often the device reads the plant, in milliseconds. */
  readonly pollIntervalMs?: number;
  /** How often one setting may be written in a day. Default: that of the device's file. */
  readonly settingWritesPerDay?: number;
  readonly plant?: {
    /** Hardware behind every kind of connection, and not the home's inverter alone. */
    readonly full?: boolean;
    /** The plant's own time at the start, an ISO 8601 date-time. Default: now. */
    readonly start?: string;
    /** IANA name of the zone whose noon the plant's sun stands highest at. Default: the machine's. */
    readonly timeZone?: string;
    /** Plant seconds per second. */
    readonly speed?: number;
  };
  /** How many days before its first start a new device has counted energy; the last of them have curves. Default 0. */
  readonly historyDays?: number;
  /** More environment variables for single parts. */
  readonly env?: ExtraEnv;
  /** Cancels the start. */
  readonly signal?: AbortSignal;
}

/** A running system. */
export interface System extends AsyncDisposable {
  /** The content of `run.json`. */
  readonly run: RunFile;
  readonly parts: {
    readonly cloud: ManagedProcess<CloudFacts>;
    /** The first of {@link proxies}. */
    readonly proxy: ManagedProcess<ProxyFacts>;
    readonly proxies: readonly ManagedProcess<ProxyFacts>[];
    readonly device: ManagedProcess<DeviceFacts>;
    readonly plant: ManagedProcess<PlantFacts>;
    /** Undefined where the database was given. */
    readonly postgres: PostgresServer | undefined;
  };
  readonly dataFolder: string;
  readonly logFolder: string;
  /** Ends everything in order: device, proxies, cloud, plant, PostgreSQL. A second, hurried call kills what is left. */
  stop(options?: { hurry?: boolean }): Promise<void>;
}

/** How long a start may take before it is given up, in milliseconds; a small board with an SD card needs some. */
const START_TIMEOUT_MS = 240_000;
const POLL_INTERVAL_MS = { normal: 2000, fast: 200 };
/** Curves of more days would make the first start take seconds longer. */
const CURVE_DAYS = 14;
const DATABASE = 'heliograph';

/** The demo account; its password and API token are generated on the first start. */
const DEMO_ACCOUNT = {
  email: 'demo@heliograph.test',
  firstName: 'Demo',
  lastName: 'Account',
} as const;
const DEMO_ORGANIZATION = { name: 'Demo organization' } as const;

/**
 * Starts PostgreSQL, cloud, proxies, device and a simulated plant, each in a process of its own, and the demo
 * account with its site; resolves once a read through the proxy returns values.
 *
 * @throws StartRefusal when a port or the folder cannot be used, or a part is late
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const {
    basePort = 0,
    proxies: proxyCount = 1,
    fast = false,
    env = {},
    settingWritesPerDay,
    historyDays = 0,
  } = options;
  const pollIntervalMs = options.pollIntervalMs ?? POLL_INTERVAL_MS[fast ? 'fast' : 'normal'];
  const deadline = new StartDeadline(START_TIMEOUT_MS, options.signal);
  const ports = portsFrom(basePort, proxyCount);

  await using undo = new AsyncDisposableStack();
  const folder = await openDataFolder(options.dataFolder);
  undo.defer(() => folder.release());
  options.signal?.addEventListener('abort', () => folder.announceStop());
  const dataFolder = folder.path;
  await removeRunFile(dataFolder);
  undo.defer(() => removeRunFile(dataFolder));

  const journal = new ProcessJournal(join(dataFolder, 'processes.json'));
  await journal.endLeftovers();
  await assertPortsAvailable(ports);
  undo.defer(() => journal.clear());

  const secrets = await ensureSecrets(dataFolder);
  const { programFolder, programs } = options;
  const factory = new PartFactory({ dataFolder, ports, secrets, journal, env, programFolder, programs });
  const database =
    options.databaseUrl ??
    undo.use(openPostgres(dataFolder, secrets.databasePassword, !fast, factory.logFile('postgres')));
  const plant = undo.use(factory.plant({ port: await lastPlantPort(dataFolder), ...options.plant }));

  const plantReady = deadline.wait('the plant', plant.logFile, plant.start());
  plantReady.catch(() => undefined);

  // Loading the cloud's database code takes as long as PostgreSQL takes to start, and a refusal above needs none.
  const [{ provision }, { configureDevice }] = await Promise.all([
    import('@heliograph/cloud/provision'),
    import('./device-config.ts'),
    ensurePagesAreBuilt(),
    typeof database === 'string'
      ? undefined
      : deadline.wait('PostgreSQL', factory.logFile('postgres'), database.start()),
    historyDays > 0 ? seedDevice(factory.deviceFolder, historyDays) : undefined,
  ]);
  const databaseUrl = typeof database === 'string' ? database : await ensureDatabase(database, DATABASE);
  const provisioned = await provision({
    databaseUrl,
    account: {
      ...DEMO_ACCOUNT,
      password: secrets.accountPassword,
      apiToken: secrets.apiToken,
    },
    organization: DEMO_ORGANIZATION,
    proxies: ports.proxies.map((_, index) => proxyIdentity(secrets, index)),
  });

  const cloud = undo.use(factory.cloud(databaseUrl));
  const { url: cloudUrl } = await deadline.wait('the cloud', cloud.logFile, cloud.start());
  const { modbus, connections } = await plantReady;
  await rememberPlantPort(dataFolder, modbus);

  const proxy = undo.use(factory.proxy(cloudUrl, 0));
  const further = ports.proxies.slice(1).map((_, index) => undo.use(factory.proxy(cloudUrl, index + 1)));
  const proxies = [proxy, ...further];
  await configureDevice(factory.deviceFolder, { pollIntervalMs, connections, settingWritesPerDay });
  const device = undo.use(factory.device(cloudUrl));
  const [deviceFacts] = await Promise.all([
    deadline.wait('the device', device.logFile, device.start()),
    ...proxies.map((one) => deadline.wait('the proxy', one.logFile, one.start())),
  ]);
  const proxyFacts = await proxy.ready();

  const { email } = DEMO_ACCOUNT;
  const { signal } = deadline;
  const account = { email, password: secrets.accountPassword, api_token: secrets.apiToken };
  const seeding = registerDemoSite({ cloudUrl, ...account, deviceUid: deviceFacts.uid, signal });
  const site = await deadline.wait('the device to reach the cloud', device.logFile, seeding);
  const { url: proxyUrl } = proxyFacts;
  const online = untilOnline({ cloudUrl, apiToken: secrets.apiToken, siteId: site.id, proxyUrl, signal });
  await deadline.wait('the device to be online through the proxy', device.logFile, online);

  const run: RunFile = {
    ready: true,
    cloud: { url: cloudUrl, database_url: databaseUrl },
    proxy: { url: proxyFacts.url, host: proxyFacts.host },
    device: { url: deviceFacts.url, password: secrets.devicePassword, uid: deviceFacts.uid },
    plant: { modbus },
    account,
    organization: { id: provisioned.organizationId },
    site,
  };
  await writeRunFile(dataFolder, run);

  const running = undo.move();
  const stop = async ({ hurry = false } = {}): Promise<void> => {
    folder.announceStop();
    if (hurry) {
      if (typeof database !== 'string') database.hurry();
      for (const part of [device, ...proxies, cloud, plant]) void part.stop({ hurry });
    }
    await running.disposeAsync();
  };
  return {
    run,
    parts: {
      cloud,
      proxy,
      proxies,
      device,
      plant,
      postgres: typeof database === 'string' ? undefined : database,
    },
    dataFolder,
    logFolder: factory.logFolder,
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

/** Most starts have no use for the code that it needs. */
async function seedDevice(folder: string, energyDays: number): Promise<void> {
  const { seedHistory } = await import('./seed-history.ts');
  await seedHistory({ folder, nowMs: Date.now(), energyDays, curveDays: Math.min(energyDays, CURVE_DAYS) });
}

function openPostgres(
  dataFolder: string,
  password: string,
  durable: boolean,
  logFile: string,
): PostgresServer {
  const log = new LogFile(logFile);
  return new PostgresServer({ dataFolder, password, durable, log: (text) => log.write(text) });
}

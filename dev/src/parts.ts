import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { proxyIdentity, type Secrets } from './data-folder/secrets.ts';
import type { Ports } from './machine/ports.ts';
import { DEVICE_MEMORY, DEVICE_NODE_FLAGS, PROXY_NODE_FLAGS } from './node-flags.ts';
import type { PlantFacts } from './plant/index.ts';
import { ManagedProcess, type ProcessJournal, type ProcessOptions } from './supervisor/index.ts';

export interface CloudFacts {
  readonly url: string;
}
export interface ProxyFacts {
  readonly url: string;
  readonly host: string;
}
export interface DeviceFacts {
  readonly url: string;
  readonly uid: string;
}

export const PART_NAMES = ['cloud', 'proxy', 'device', 'plant'] as const;
export type PartName = (typeof PART_NAMES)[number];
/** More environment for a part, over what the system sets. */
export type ExtraEnv = Partial<Record<PartName, Readonly<Record<string, string>>>>;
/** Files of other programs for parts. */
export type OtherPrograms = Partial<Readonly<Record<PartName, string>>>;

const ROOT = join(import.meta.dirname, '../..');

/** Everything binds here: the system is for the machine it runs on. */
const HOST = '127.0.0.1';

/** Makes the processes of one system; each is started by its own `start()`. */
export class PartFactory {
  readonly #dataFolder: string;
  readonly #logFolder: string;
  readonly #ports: Ports;
  readonly #secrets: Secrets;
  readonly #journal: ProcessJournal;
  readonly #extra: ExtraEnv;
  readonly #programFolder: string | undefined;
  readonly #programs: OtherPrograms;

  constructor(options: {
    dataFolder: string;
    ports: Ports;
    secrets: Secrets;
    journal: ProcessJournal;
    env: ExtraEnv;
    /** Of bundled programs; undefined: the sources. */
    programFolder?: string | undefined;
    programs?: OtherPrograms | undefined;
  }) {
    this.#dataFolder = options.dataFolder;
    this.#logFolder = join(options.dataFolder, 'logs');
    this.#ports = options.ports;
    this.#secrets = options.secrets;
    this.#journal = options.journal;
    this.#extra = options.env;
    this.#programFolder = options.programFolder;
    this.#programs = options.programs ?? {};
    mkdirSync(this.#logFolder, { recursive: true, mode: 0o700 });
  }

  get deviceFolder(): string {
    return join(this.#dataFolder, 'device');
  }

  get logFolder(): string {
    return this.#logFolder;
  }

  logFile(name: string): string {
    return join(this.#logFolder, `${name}.log`);
  }

  cloud(databaseUrl: string): ManagedProcess<CloudFacts> {
    const env = {
      DATABASE_URL: databaseUrl,
      CLOUD_HOST: HOST,
      CLOUD_PORT: String(this.#ports.cloud),
      CLOUD_SECRET: this.#secrets.cloudSecret,
      DEVICE_ACTIVATION: 'automatic',
      CLOUD_MAILBOX: 'true',
    };
    return this.#process({
      part: 'cloud',
      env,
      port: { variable: 'CLOUD_PORT', of: ({ url }) => portOf(url) },
    });
  }

  /** @param index 0 for the first, `local-1`; all are of one region */
  proxy(cloudUrl: string, index: number): ManagedProcess<ProxyFacts> {
    const number = index + 1;
    const { name, credential } = proxyIdentity(this.#secrets, index);
    const env = {
      PROXY_NAME: name,
      PROXY_BIND: HOST,
      PROXY_PORT: String(this.#ports.proxies[index] ?? 0),
      CLOUD_URL: cloudUrl,
      PROXY_CREDENTIAL: credential,
      // Here all clients have one address, and are not one client.
      PROXY_UNLIMITED_FROM: '127.0.0.0/8 ::1',
    };
    const port = { variable: 'PROXY_PORT', of: ({ url }: ProxyFacts) => portOf(url) };
    return this.#process({
      part: 'proxy',
      name: index === 0 ? 'proxy' : `proxy-${number}`,
      env,
      port,
      nodeFlags: PROXY_NODE_FLAGS,
    });
  }

  /** The device reads its connections from the `device.yaml` in {@link deviceFolder}. */
  device(cloudUrl: string): ManagedProcess<DeviceFacts> {
    const env = {
      DEVICE_DATA: this.deviceFolder,
      DEVICE_HOST: HOST,
      DEVICE_PORT: String(this.#ports.device),
      DEVICE_PASSWORD: this.#secrets.devicePassword,
      CLOUD_URL: cloudUrl,
      ...DEVICE_MEMORY,
    };
    const port = { variable: 'DEVICE_PORT', of: ({ url }: DeviceFacts) => portOf(url) };
    return this.#process({ part: 'device', env, port, nodeFlags: DEVICE_NODE_FLAGS });
  }

  plant(options: {
    port: number;
    full?: boolean;
    start?: string;
    timeZone?: string;
    speed?: number;
  }): ManagedProcess<PlantFacts> {
    const { port, full = false, start, timeZone, speed } = options;
    const env = {
      PLANT_HOST: HOST,
      PLANT_PORT: String(port),
      PLANT_STATE: join(this.#dataFolder, 'plant.json'),
      ...(full ? { PLANT_SHOWROOM: join(this.#dataFolder, 'ports') } : {}),
      ...(start === undefined ? {} : { PLANT_START: start }),
      ...(timeZone === undefined ? {} : { PLANT_TIME_ZONE: timeZone }),
      ...(speed === undefined ? {} : { PLANT_SPEED: String(speed) }),
    };
    const of = ({ modbus }: PlantFacts): number => portOf(`tcp://${modbus}`);
    return this.#process({ part: 'plant', env, port: { variable: 'PLANT_PORT', of } });
  }

  #entryOf(part: PartName): string {
    const other = this.#programs[part];
    if (other !== undefined) return other;
    if (part === 'plant') return join(import.meta.dirname, 'plant/main.ts');
    const program = `apps/${part}/src/main`;
    return this.#programFolder === undefined
      ? join(ROOT, `${program}.ts`)
      : join(this.#programFolder, `${program}.js`);
  }

  #process<Facts extends object>(options: {
    part: PartName;
    /** Of one among several of a part, such as `proxy-2`. */
    name?: string;
    env: Record<string, string>;
    port: NonNullable<ProcessOptions<Facts>['port']>;
    nodeFlags?: readonly string[];
  }): ManagedProcess<Facts> {
    const { part, name = part, env, port, nodeFlags = [] } = options;
    return new ManagedProcess<Facts>({
      name,
      entry: this.#entryOf(part),
      nodeFlags,
      env: { ...inheritedEnv(), ...env, ...this.#extra[part] },
      logFile: this.logFile(name),
      port,
      journal: this.#journal,
    });
  }
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** Compiled code that Node keeps from one start to the next: later starts take a third less. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node-compile');

/** Our own environment without what would configure a part behind our back. */
function inheritedEnv(): Record<string, string> {
  const ours = /^(CLOUD|PROXY|DEVICE|PLANT|PG|DATABASE)_?/;
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || ours.test(name) ? [] : [[name, value] as const],
  );
  return { NODE_COMPILE_CACHE: COMPILE_CACHE, ...Object.fromEntries(entries) };
}

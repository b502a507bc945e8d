/**
 * Runs containers of the images as the compose file describes its services, beside a PostgreSQL, until their health checks succeed
 * and the proxy is ready. The argument is JSON: the containers by part. Needs a network of its own.
 */
import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase, PostgresServer } from '@heliograph/dev/postgres';
import { parse } from 'yaml';
import { COMPOSE_ENVIRONMENT, COMPOSE_FILE } from './compose.ts';
import {
  type Container,
  type ContainerRun,
  IMAGE_USER,
  outputInContainer,
  startInContainer,
  stopContainer,
} from './container.ts';
import { requireMatch } from './output-of.ts';

/** Longest time until a part answers, in milliseconds. */
const READY_MS = 120_000;

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
}

const containers: Readonly<Record<string, Container>> = JSON.parse(process.argv[2] ?? '{}');
const { services } = parse(interpolate(await readFile(COMPOSE_FILE, 'utf8')), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};

await using undo = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'heliograph-images-'));
undo.defer(() => rm(folder, { recursive: true, force: true }));
const hosts = join(folder, 'hosts');
await writeFile(hosts, '127.0.0.1 localhost database cloud proxy\n');
const databaseUrl = await startDatabase();
const credential = await dataFolder('credential');

const device = { environment: {}, data: await dataFolder('device') };
await requireHealth('device', device);
await requireUsableConfig('device', device, '/data/device.yaml');
await requireAddOn();
const cloud = { environment: { ...services.cloud?.environment, DATABASE_URL: databaseUrl } };
await requireHealth('cloud', { ...cloud, data: await dataFolder('cloud') });
const [program = '', ...args] = services.credential?.entrypoint ?? [];
await runInside('cloud', { ...cloud, data: credential, command: [program, ...args] });
requireMatch(await readFile(join(credential, 'proxy'), 'utf8'), /^hgp_/);
await requireHealth('proxy', { environment: services.proxy?.environment ?? {}, data: credential });
await until(async () => {
  const { status } = await fetch('http://127.0.0.1:4001/readyz');
  if (status !== 200) throw new Error(`the proxy is not ready: ${status}`);
});
console.log(
  'ok       services of the compose file: the proxy is admitted with the credential that was made for it',
);

/** Home Assistant gives the options as a file, and takes the configuration file from a folder that its owner edits. */
async function requireAddOn(): Promise<void> {
  // Root's, as Home Assistant mounts them.
  const [data, config] = [await dataFolder('add-on', 0), await dataFolder('add-on-config', 0)];
  await writeFile(join(data, 'options.json'), '{"cloud_url":"https://cloud.example.org","log_level":"warn"}');
  const run = { environment: { DEVICE_PORT: '4003' }, data, config };
  const running = startInContainer(containerOf('add-on'), {
    ...run,
    hosts,
    command: ['/opt/heliograph/bin/run-add-on'],
  });
  undo.defer(() => stopContainer(running));
  await until(() => runInside('add-on', { ...run, command: ['/opt/heliograph/bin/healthy'] }));
  requireMatch(await readFile(join(config, 'device.yaml'), 'utf8'), /cloud_url/);
  const { uid } = await stat(join(data, 'device.sqlite'));
  if (uid !== IMAGE_USER) throw new Error(`the device of the add-on runs as ${uid}`);
  await requireUsableConfig('add-on', run, '/config/device.yaml');
  await appendFile(join(config, 'device.yaml'), 'mdns: perhaps\n');
  await until(async () => {
    const answer = await fetch('http://127.0.0.1:4003/readyz');
    requireMatch(await answer.text(), /"configuration","status":"failed"/);
  });
  console.log('ok       add-on of Home Assistant');
}

/** The commands of a container are about its own device. */
async function requireUsableConfig(
  part: string,
  run: Omit<ContainerRun, 'hosts' | 'command'>,
  file: string,
): Promise<void> {
  const printed = await runInside(part, { ...run, command: ['heliograph', 'device', 'config'] });
  requireMatch(printed, new RegExp(`^${file} can be used`, 'm'));
}

/** Starts a part, and waits until the health check of its image succeeds. */
async function requireHealth(part: string, run: Pick<ContainerRun, 'data' | 'environment'>): Promise<void> {
  const container = containerOf(part);
  const { uid } = await stat(join(container.root, 'data'));
  if (uid !== IMAGE_USER) throw new Error(`/data in the image of the ${part} belongs to ${uid}`);
  const version = await runInside(part, { ...run, command: ['/opt/heliograph/bin/run', '--version'] });
  if (part !== 'proxy')
    requireMatch(await runInside(part, { ...run, command: ['heliograph', '--version'] }), /^\d/);
  const running = startInContainer(container, { ...run, hosts, command: ['/opt/heliograph/bin/run'] });
  undo.defer(() => stopContainer(running));
  await until(() => runInside(part, { ...run, command: ['/opt/heliograph/bin/healthy'] }));
  console.log(`ok       image of the ${part}, ${version.trim()}`);
}

function runInside(part: string, run: Omit<ContainerRun, 'hosts'>): Promise<string> {
  return outputInContainer(containerOf(part), { ...run, hosts });
}

function containerOf(part: string): Container {
  const container = containers[part];
  if (container === undefined) throw new Error(`there is no container of the ${part}`);
  return container;
}

/** As Docker makes a volume of a folder that the image has: it belongs to the image's user. */
async function dataFolder(name: string, owner = IMAGE_USER): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  await chown(path, owner, owner);
  return path;
}

async function startDatabase(): Promise<string> {
  const path = join(folder, 'database');
  await mkdir(path);
  const password = randomBytes(16).toString('hex');
  const server = undo.use(
    new PostgresServer({ dataFolder: path, password, throwAway: true, durable: false }),
  );
  await server.start();
  return ensureDatabase(server, 'images');
}

/** Puts values into `${NAME}`, `${NAME:-fallback}` and `${NAME:?message}`. */
function interpolate(text: string): string {
  const values: Readonly<Record<string, string>> = COMPOSE_ENVIRONMENT;
  return text.replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind?: string, fallback?: string) =>
      values[name] ?? (kind === '-' ? (fallback ?? '') : ''),
  );
}

async function until(attempt: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

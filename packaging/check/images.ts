import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDatabase, PostgresServer } from '@heliograph/dev-env/postgres';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import { CHECKOUT } from '../checkout.ts';
import { makeRoot } from '../make-root.ts';
import { missingTool } from '../missing-tool.ts';
import { PLATFORMS } from '../npm/platform.ts';
import { PARTS, type Part, type PartName } from '../parts.ts';
import { outputOf, requireMatch } from './output-of.ts';

/** Of the images of this check, which are removed at its end. */
const PREFIX = 'localhost/heliograph-check';

const BASE = `${PREFIX}-base`;

/** The user of the images. */
const USER = 10001;

/** Starts the part in its container, and waits until its health check succeeds. */
const HEALTHY = `
test "$(id -u)" = ${USER} || { echo "runs as $(id -u)" >&2; exit 1; }
if touch /opt/heliograph/file 2>/dev/null; then echo 'the root can be written' >&2; exit 1; fi
/opt/heliograph/bin/run --version || exit 1
if [ "$PART" != proxy ]; then heliograph --version || exit 1; fi
/opt/heliograph/bin/run >&2 &
for attempt in $(seq 300); do
  if /opt/heliograph/bin/healthy; then kill $!; wait $!; exit 0; fi
  sleep 0.2
done
echo 'not healthy' >&2
exit 1`;

/**
 * Builds the image of each part, and runs it as its user, with a read-only root and a folder for its data: its own health check
 * succeeds.
 */
export async function checkImages(): Promise<void> {
  const missing = missingTool(['buildah', 'mmdebstrap', 'systemd-nspawn']);
  if (process.getuid?.() !== 0 || missing !== undefined) {
    const reason = missing === undefined ? 'building needs root' : `${missing} is not installed`;
    console.log(`skipped  images: ${reason}`);
    return;
  }
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-images-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  await makeBase();
  undo.defer(async () => void (await outputOf('buildah', ['rmi', '--force', BASE])));
  const databaseUrl = await startDatabase(folder, undo);
  for (const part of Object.values(PARTS)) {
    const { name: image, environment } = await buildImage(part);
    await using container = new AsyncDisposableStack();
    container.defer(async () => void (await outputOf('buildah', ['rmi', '--force', image])));
    const name = (await outputOf('buildah', ['from', '--pull-never', image])).trim();
    container.defer(async () => void (await outputOf('buildah', ['rm', name])));
    const root = (await outputOf('buildah', ['mount', name])).trim();
    await checkContainer({ part, root, environment, folder, databaseUrl });
    console.log(`ok       image of the ${part.name}`);
  }
}

/** The base that a registry would have: Debian, from its own archive. */
async function makeBase(): Promise<void> {
  const archive = join(CHECKOUT, 'node_modules/.cache/packaging/debian-base.tar');
  if (!existsSync(archive)) {
    await mkdir(join(archive, '..'), { recursive: true });
    const unfinished = `${archive}.${process.pid}.tar`;
    await outputOf('mmdebstrap', ['--variant=minbase', '--include=libstdc++6', 'bookworm', unfinished]);
    await rename(unfinished, archive);
  }
  const container = (await outputOf('buildah', ['from', 'scratch'])).trim();
  await outputOf('buildah', ['add', '--quiet', container, archive, '/']);
  await outputOf('buildah', ['commit', '--quiet', '--rm', container, BASE]);
}

interface Image {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function buildImage(part: Part): Promise<Image> {
  const platform = PLATFORMS.find(({ cpu }) => cpu === process.arch);
  if (platform === undefined) throw new Error(`there are no packages for ${process.arch}`);
  await ensurePagesAreBuilt();
  await makeRoot(part, platform, join(CHECKOUT, 'dist', `heliograph-${part.name}_${platform.architecture}`));
  const image = `${PREFIX}-${part.name}`;
  const args = ['--build-arg', `BASE=${BASE}`, '--build-arg', `PART=${part.name}`];
  await outputOf('buildah', [
    ...['build', '--isolation', 'chroot', '--format', 'docker', '--pull-never', '--quiet', ...args],
    ...['--file', join(CHECKOUT, 'packaging/containers/Dockerfile'), '--tag', image, CHECKOUT],
  ]);
  const { config } = JSON.parse(await outputOf('buildah', ['inspect', '--type', 'image', image])).Docker;
  if (config.User !== 'heliograph') throw new Error(`${image} runs as ${config.User}`);
  requireMatch(JSON.stringify(config.Healthcheck), /healthy/);
  const variables: readonly string[] = config.Env;
  return {
    name: image,
    environment: Object.fromEntries(variables.map((text) => text.split(/=(.*)/s, 2))),
  };
}

async function startDatabase(folder: string, undo: AsyncDisposableStack): Promise<string> {
  const dataFolder = join(folder, 'database');
  await mkdir(dataFolder);
  const password = randomBytes(16).toString('hex');
  const server = undo.use(new PostgresServer({ dataFolder, password, throwAway: true, durable: false }));
  await server.start();
  return ensureDatabase(server, 'images');
}

interface Container {
  readonly part: Part;
  readonly root: string;
  /** Of the image. */
  readonly environment: Image['environment'];
  readonly folder: string;
  readonly databaseUrl: string;
}

async function checkContainer({
  part,
  root,
  environment: imageEnvironment,
  folder,
  databaseUrl,
}: Container): Promise<void> {
  const port = String(await freePort());
  const environment: Readonly<Record<PartName, Readonly<Record<string, string>>>> = {
    device: { DEVICE_HOST: '127.0.0.1', DEVICE_PORT: port },
    cloud: {
      DATABASE_URL: databaseUrl,
      CLOUD_SECRET: 'x'.repeat(32),
      CLOUD_HOST: '127.0.0.1',
      CLOUD_PORT: port,
      CLOUD_MAILBOX: 'true',
    },
    proxy: {
      CLOUD_URL: 'http://127.0.0.1:1',
      PROXY_BIND: '127.0.0.1',
      PROXY_PORT: port,
      PROXY_HOST: 'localhost',
      PROXY_CREDENTIAL: `hgp_${'x'.repeat(43)}`,
    },
  };
  const data = join(folder, part.name);
  await mkdir(data);
  await chown(data, USER, USER);
  const variables = { ...imageEnvironment, ...environment[part.name] };
  await outputOf('systemd-nspawn', [
    ...['--directory', root, '--read-only', '--user=heliograph', '--no-new-privileges=yes'],
    ...['--tmpfs=/tmp:mode=1777', `--bind=${data}:/data`],
    ...['--register=no', '--keep-unit', '--as-pid2', '--console=pipe', '--quiet'],
    ...Object.entries(variables).map(([name, value]) => `--setenv=${name}=${value}`),
    ...['/bin/sh', '-c', HEALTHY],
  ]);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

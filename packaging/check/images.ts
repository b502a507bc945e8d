import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ensurePagesAreBuilt } from '@heliograph/web/build';
import { CHECKOUT } from '../checkout.ts';
import { makeRoot } from '../make-root.ts';
import { missingTool } from '../missing-tool.ts';
import { PLATFORMS } from '../npm/platform.ts';
import { PARTS, type Part } from '../parts.ts';
import { runVisibly } from '../run-visibly.ts';
import type { Container } from './container.ts';
import { outputOf, requireMatch } from './output-of.ts';

/** Of the images of this check, which are removed at its end. */
const PREFIX = 'localhost/heliograph-check';

const BASE = `${PREFIX}-base`;

/** A network that has only the loopback interface, so that the containers have their usual ports. */
const OWN_NETWORK = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Builds the image of each part, and runs them: see `run-images.ts`. */
export async function checkImages(): Promise<void> {
  const missing = missingTool(['buildah', 'mmdebstrap', 'systemd-nspawn', 'unshare', 'ip']);
  if (process.getuid?.() !== 0 || missing !== undefined) {
    const reason = missing === undefined ? 'building needs root' : `${missing} is not installed`;
    console.log(`skipped  images: ${reason}`);
    return;
  }
  await using undo = new AsyncDisposableStack();
  await makeBase();
  undo.defer(() => remove('rmi', BASE));
  const containers: Record<string, Container> = {};
  for (const part of Object.values(PARTS)) {
    const { name: image, environment } = await buildImage(part);
    undo.defer(() => remove('rmi', image));
    const container = (await outputOf('buildah', ['from', '--pull-never', image])).trim();
    undo.defer(() => remove('rm', container));
    const root = (await outputOf('buildah', ['mount', container])).trim();
    containers[part.name] = { root, environment };
  }
  const program = join(import.meta.dirname, 'run-images.ts');
  await runVisibly('unshare', [...OWN_NETWORK, process.execPath, program, JSON.stringify(containers)]);
}

async function remove(command: 'rm' | 'rmi', name: string): Promise<void> {
  await outputOf('buildah', [command, ...(command === 'rmi' ? ['--force'] : []), name]);
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

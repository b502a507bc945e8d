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

/** Of Home Assistant. */
const ADD_ON = join(CHECKOUT, 'packaging/home-assistant/heliograph');

const BASE = `${PREFIX}-base`;

/** A network that has only the loopback interface, so that the containers have their usual ports. */
const OWN_NETWORK = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Builds the image of each part, and runs them: see `run-images.ts`. @returns what was not checked, and why */
export async function checkImages(): Promise<readonly string[]> {
  const missing = missingTool(['buildah', 'mmdebstrap', 'systemd-nspawn', 'unshare', 'ip']);
  if (process.getuid?.() !== 0 || missing !== undefined) {
    const reason = missing === undefined ? 'building needs root' : `${missing} is not installed`;
    return [`images: ${reason}`];
  }
  await using undo = new AsyncDisposableStack();
  await makeBase();
  undo.defer(() => remove('rmi', BASE));
  const containers: Record<string, Container> = {};
  for (const { name } of Object.values(PARTS)) {
    const image = await buildPart(PARTS[name]);
    undo.defer(() => remove('rmi', image));
    containers[name] = await openContainer(image, undo);
  }
  const addOn = await build('add-on', ADD_ON, [`BUILD_FROM=${PREFIX}-device`]);
  undo.defer(() => remove('rmi', addOn));
  containers['add-on'] = await openContainer(addOn, undo);
  const program = join(import.meta.dirname, 'run-images.ts');
  await runVisibly('unshare', [...OWN_NETWORK, process.execPath, program, JSON.stringify(containers)]);
  return [];
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

/** Builds the image of a part, which runs as no root and has a health check. */
async function buildPart(part: Part): Promise<string> {
  const platform = PLATFORMS.find(({ cpu }) => cpu === process.arch);
  if (platform === undefined) throw new Error(`there are no packages for ${process.arch}`);
  await ensurePagesAreBuilt('smallest');
  await makeRoot(part, platform, join(CHECKOUT, 'dist', `heliograph-${part.name}_${platform.architecture}`));
  const dockerfile = join(CHECKOUT, 'packaging/containers/Dockerfile');
  const image = await build(part.name, CHECKOUT, [`BASE=${BASE}`, `PART=${part.name}`], dockerfile);
  const { User: user, Healthcheck: healthCheck } = await configOf(image);
  if (user !== 'heliograph') throw new Error(`${image} runs as ${user}`);
  requireMatch(JSON.stringify(healthCheck), /healthy/);
  return image;
}

/** @returns the name of the image */
async function build(
  name: string,
  context: string,
  buildArguments: readonly string[],
  dockerfile = join(context, 'Dockerfile'),
): Promise<string> {
  const image = `${PREFIX}-${name}`;
  await outputOf('buildah', [
    ...['build', '--isolation', 'chroot', '--format', 'docker', '--pull-never', '--quiet'],
    ...buildArguments.flatMap((argument) => ['--build-arg', argument]),
    ...['--file', dockerfile, '--tag', image, context],
  ]);
  return image;
}

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Healthcheck?: object;
}

async function configOf(image: string): Promise<ImageConfig> {
  return JSON.parse(await outputOf('buildah', ['inspect', '--type', 'image', image])).Docker.config;
}

async function openContainer(image: string, undo: AsyncDisposableStack): Promise<Container> {
  const { Env: variables, User: user } = await configOf(image);
  const container = (await outputOf('buildah', ['from', '--pull-never', image])).trim();
  undo.defer(() => remove('rm', container));
  const root = (await outputOf('buildah', ['mount', container])).trim();
  return { root, environment: Object.fromEntries(variables.map((text) => text.split(/=(.*)/s, 2))), user };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { outputOf } from './output-of.ts';

/** The user of the images. */
export const IMAGE_USER = 10001;

/** A container of an image, which is not running yet. */
export interface Container {
  /** Its files. */
  readonly root: string;
  /** Of the image. */
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
}

export interface ContainerRun {
  readonly environment: Readonly<Record<string, string>>;
  /** Folder that is mounted at `/data`. */
  readonly data: string;
  /** Folder that is mounted at `/config`. */
  readonly config?: string;
  /** Path of a file that is mounted at `/etc/hosts`. */
  readonly hosts: string;
  /** Program and arguments. */
  readonly command: readonly string[];
}

/** Starts a command in a container: as the image's user, with a read-only root. Its output is the terminal's when it fails. */
export function startInContainer(container: Container, run: ContainerRun): ChildProcess {
  return spawn('systemd-nspawn', nspawnArguments(container, run), { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** @returns what a command in a container prints @throws Error when it fails */
export function outputInContainer(container: Container, run: ContainerRun): Promise<string> {
  return outputOf('systemd-nspawn', nspawnArguments(container, run));
}

function nspawnArguments({ root, environment, user }: Container, run: ContainerRun): string[] {
  const variables = Object.entries({ ...environment, ...run.environment });
  return [
    ...['--directory', root, '--read-only', `--user=${user}`, '--no-new-privileges=yes'],
    ...['--tmpfs=/tmp:mode=1777', `--bind=${run.data}:/data`, `--bind-ro=${run.hosts}:/etc/hosts`],
    ...(run.config === undefined ? [] : [`--bind=${run.config}:/config`]),
    ...['--register=no', '--keep-unit', '--as-pid2', '--console=pipe', '--quiet', '--kill-signal=SIGRTMIN+4'],
    ...variables.map(([name, value]) => `--setenv=${name}=${value}`),
    // systemd-nspawn names its own socket for notifications, which Docker does not.
    ...['env', '--unset=NOTIFY_SOCKET', ...run.command],
  ];
}

export async function stopContainer(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null || running.signalCode !== null) return;
  const closed = once(running, 'close');
  running.kill('SIGTERM');
  await closed;
}

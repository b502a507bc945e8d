import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A third-party program that a benchmark compares with if it is installed. */
export interface Peer {
  readonly name: string;
  /** Executables that must be on the PATH. */
  readonly programs: readonly string[];
  /** A command that installs them. */
  readonly install: string;
}

/** The peers that are installed; of the others it prints how they can be. */
export function installed<P extends Peer>(peers: readonly P[]): P[] {
  return peers.filter(({ name, programs, install }) => {
    const found = programs.every(isOnPath);
    if (!found) console.log(`${name} is not on the PATH and is left out; to install it: ${install}`);
    return found;
  });
}

/** The PATH, and where Debian keeps daemons. */
const PATH = [process.env.PATH ?? '', '/usr/sbin'].join(delimiter);

/** Starts such a program; its output is dropped. */
export function startProgram([program = '', ...args]: readonly string[]): ChildProcess {
  return spawn(program, args, { stdio: 'ignore', env: { ...process.env, PATH } });
}

function isOnPath(program: string): boolean {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A TCP port that was free a moment ago, for programs that cannot pick one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the system gave no TCP port');
  return address.port;
}

/** @throws when nothing listens within 15 s */
export async function untilListening(port: number): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await accepts(port))) {
    if (performance.now() > deadline) throw new Error(`nothing listens on port ${port}`);
    await delay(50);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

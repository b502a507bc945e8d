import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reservedPorts } from '@heliograph/dev/testing';
import { Installation } from '../../../src/admin/update/installation.ts';
import { writeRelease } from './release-folder.ts';

/** The script that release archives bring, as units run it. */
const BEFORE_START = join(import.meta.dirname, '../../../../../packaging/archive/before-start');

/** Stands for systemd: starts the device whenever it ended, each time after `before-start`. */
const SUPERVISOR = `#!/bin/sh
cd "$(dirname "$0")"
trap 'kill -9 "$child"; exit' TERM
while :; do
  ./before-start
  ./current/bin/node ./current/apps/device/src/main.js &
  child=$!
  echo $child >pid
  wait $child
  sleep 0.1
done
`;

/** A device that is installed from release archives, and is kept running. */
export class InstalledDevice implements AsyncDisposable {
  readonly installation: Installation;
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;
  #supervisor: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}/healthz`;
    this.installation = new Installation(folder);
  }

  /** @param folder does not exist */
  static async start(folder: string, version = '0.1.0'): Promise<InstalledDevice> {
    const device = new InstalledDevice(folder, await reservedPorts());
    await mkdir(join(folder, 'update'), { recursive: true });
    await writeRelease(join(folder, 'releases', version), version);
    await symlink(join('releases', version), join(folder, 'current'));
    await copyFile(BEFORE_START, join(folder, 'before-start'));
    await writeFile(join(folder, 'supervisor'), SUPERVISOR);
    await writeFile(device.restartProgram, `#!/bin/sh\nkill -9 "$(cat '${folder}/pid')" || true\n`);
    for (const name of ['before-start', 'supervisor', 'update/restart'])
      await chmod(join(folder, name), 0o755);
    device.boot();
    return device;
  }

  get restartProgram(): string {
    return join(this.#folder, 'update/restart');
  }

  boot(): void {
    this.#supervisor = spawn(join(this.#folder, 'supervisor'), {
      env: { ...process.env, DEVICE_PORT: String(this.#port) },
      stdio: 'ignore',
    });
  }

  /** @returns the version that serves; undefined while none does */
  async serving(): Promise<string | undefined> {
    try {
      return await (await fetch(this.url)).text();
    } catch {
      return undefined;
    }
  }

  async halt(): Promise<void> {
    const supervisor = this.#supervisor;
    this.#supervisor = undefined;
    if (supervisor === undefined) return;
    const ended = once(supervisor, 'exit');
    supervisor.kill();
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.halt();
  }
}

import { randomBytes } from 'node:crypto';
import {
  appendFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isVersion } from '@heliograph/kit';
import { replaceText } from '../../common/replace-text.ts';

/** A release that the device was switched to, and that has not yet shown that it works. */
export interface Trial {
  readonly from: string;
  readonly to: string;
}

export type UpdateOutcome = 'installed' | 'rolled_back' | 'failed';

/** The result of an update, for people. */
export interface UpdateRecord {
  /** ISO 8601. */
  readonly at: string;
  readonly outcome: UpdateOutcome;
  readonly from: string;
  readonly to: string;
  /** Null of one that succeeded. */
  readonly reason: string | null;
}

/** How many records are read back. */
const RECORDS = 50;

/**
 * The folder of a device that is installed from release archives:
 *
 *     releases/0.1.0/     a release, which nothing changes once it has this name
 *     releases/.0.2.0/    one that is being unpacked
 *     current             a link to the release that runs, replaced in one step
 *     before-start        run before each start: leaves a release on trial that does not stay up
 *     update.lock         held while an update runs
 *     update/trial        from which release to which, while the new one has not yet shown that it works
 *     update/starts       a line for each start of a release on trial that did not succeed
 *     update/gave-up      why `before-start` left a release
 *     update/records      an `UpdateRecord` in each line
 *     update/seen         when the newest manifest of each channel was issued
 *     update/seed         decides with which part of the devices this one updates
 *
 * Every step leaves a folder from which the device starts.
 */
export class Installation {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** @param module a path within the release that runs. @returns undefined where that was installed in another way */
  static async around(module: string): Promise<Installation | undefined> {
    for (let path = module; dirname(path) !== path; path = dirname(path)) {
      if (basename(dirname(path)) !== 'releases' || !isVersion(basename(path))) continue;
      const installation = new Installation(dirname(dirname(path)));
      return (await installation.exists()) ? installation : undefined;
    }
    return undefined;
  }

  async exists(): Promise<boolean> {
    return await lstat(this.#path('current')).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
  }

  /** @throws where `current` leads to no release */
  async current(): Promise<string> {
    const version = basename(await readlink(this.#path('current')));
    if (!isVersion(version)) throw new Error(`${this.#path('current')} leads to no release`);
    return version;
  }

  releaseFolder(version: string): string {
    return this.#path('releases', version);
  }

  /** The folder that a release is unpacked into before it has its name. */
  unfinishedFolder(version: string): string {
    return this.#path('releases', `.${version}`);
  }

  async hasRelease(version: string): Promise<boolean> {
    return await lstat(this.releaseFolder(version)).then(
      (found) => found.isDirectory(),
      () => false,
    );
  }

  /** Makes the release that was unpacked one that can run. */
  async finish(version: string): Promise<void> {
    // One of that name that is not the current one was left before, and may have been changed since.
    await rm(this.releaseFolder(version), { recursive: true, force: true });
    await rename(this.unfinishedFolder(version), this.releaseFolder(version));
    await syncFolder(this.#path('releases'));
  }

  /** Lets `current` lead to a release, in one step. */
  async switchTo(version: string): Promise<void> {
    // Not the name that `before-start` uses, which may be replacing the link in the same moment.
    const next = this.#path('current.update');
    await rm(next, { force: true });
    await symlink(join('releases', version), next);
    await rename(next, this.#path('current'));
    await syncFolder(this.folder);
  }

  /** Removes what an interrupted update left, and all releases but those. */
  async removeOthers(kept: readonly string[]): Promise<void> {
    for (const name of await readdir(this.#path('releases'))) {
      if (!kept.includes(name)) await rm(this.#path('releases', name), { recursive: true, force: true });
    }
  }

  async trial(): Promise<Trial | undefined> {
    const text = await this.#text('trial');
    const [, from, to] = /^from=(\S+)\nto=(\S+)\n$/.exec(text) ?? [];
    return from === undefined || to === undefined ? undefined : { from, to };
  }

  async beginTrial({ from, to }: Trial): Promise<void> {
    await rm(this.#update('gave-up'), { force: true });
    await rm(this.#update('starts'), { force: true });
    await this.#write('trial', `from=${from}\nto=${to}\n`);
  }

  async endTrial(): Promise<void> {
    for (const file of ['trial', 'starts', 'gave-up']) await rm(this.#update(file), { force: true });
    await syncFolder(this.#update());
  }

  /** Why the release on trial was left before its start; undefined where it was not. */
  async gaveUp(): Promise<string | undefined> {
    return (await this.#text('gave-up')).trim() || undefined;
  }

  /** Once the reason is on record. */
  async forgetGaveUp(): Promise<void> {
    await rm(this.#update('gave-up'), { force: true });
  }

  async record(record: UpdateRecord): Promise<void> {
    await mkdir(this.#update(), { recursive: true });
    await appendFile(this.#update('records'), `${JSON.stringify(record)}\n`);
  }

  /** The last ones, oldest first. */
  async records(): Promise<readonly UpdateRecord[]> {
    const lines = (await this.#text('records')).split('\n').filter((line) => line !== '');
    // A full disk or a power cut may have cut a line.
    return lines.slice(-RECORDS).flatMap((line): UpdateRecord[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
  }

  /** When the newest manifest of a channel that was used was issued, in milliseconds since the epoch. */
  async seenMs(channel: string): Promise<number> {
    return (await this.#seen())[channel] ?? 0;
  }

  async noteSeen(channel: string, issuedMs: number): Promise<void> {
    const seen = await this.#seen();
    if (seen[channel] === issuedMs) return;
    await this.#write('seen', `${JSON.stringify({ ...seen, [channel]: issuedMs })}\n`);
  }

  async seed(): Promise<string> {
    const known = (await this.#text('seed')).trim();
    if (known !== '') return known;
    const seed = randomBytes(16).toString('hex');
    await this.#write('seed', `${seed}\n`);
    return seed;
  }

  /** A file of the operator beside the releases, such as `update/source.json`; undefined where there is none. */
  async operatorFile(name: string): Promise<string | undefined> {
    return await readFile(this.#update(name), 'utf8').catch(() => undefined);
  }

  /** A file of the release that runs; undefined where it has none. */
  async releaseFile(name: string): Promise<string | undefined> {
    return await readFile(this.#path('current', name), 'utf8').catch(() => undefined);
  }

  /** A program of the operator that restarts the device; undefined where there is none. */
  async restartProgram(): Promise<string | undefined> {
    const path = this.#update('restart');
    const isThere = await lstat(path).then(
      () => true,
      () => false,
    );
    return isThere ? path : undefined;
  }

  async #seen(): Promise<Readonly<Record<string, number>>> {
    try {
      return JSON.parse(await this.#text('seen'));
    } catch {
      return {};
    }
  }

  async #text(name: string): Promise<string> {
    return await readFile(this.#update(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
  }

  async #write(name: string, text: string): Promise<void> {
    await mkdir(this.#update(), { recursive: true });
    await replaceText(this.#update(name), text);
  }

  #update(...names: readonly string[]): string {
    return this.#path('update', ...names);
  }

  #path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

import { execFile } from 'node:child_process';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Clock, compareVersions, messageOf, type ReleaseChannel } from '@heliograph/kit';
import {
  InvalidManifest,
  isInStage,
  newestRelease,
  type ReleaseArchive,
  type ReleaseManifest,
} from '@heliograph/wire/release-manifest';
import { type DeviceProcess, MachineStopping } from './device-process.ts';
import type { Installation, Trial, UpdateOutcome } from './installation.ts';
import { lockUpdates } from './lock.ts';
import { downloadArchive, fetchManifest, type ReleaseSource } from './release-server.ts';
import { unpack } from './unpack.ts';

/** The program that runs a device, and Node, within a release. */
const PROGRAM = 'apps/device/src/main.js';
const NODE = 'bin/node';

/** How long a release may take to print its version, in milliseconds. */
const VERSION_TIMEOUT_MS = 60_000;

/** Space that must remain free on the disk beside a new release, in bytes. */
const SPARE_BYTES = 32 * 1024 * 1024;

/** The steps of an update, in their order; `roll back` takes the place of `confirm`. */
export type UpdateStep =
  | 'download'
  | 'unpack'
  | 'try'
  | 'name'
  | 'begin trial'
  | 'switch'
  | 'restart'
  | 'wait'
  | 'confirm'
  | 'roll back'
  | 'restart again';

/** The update cannot or may not happen; nothing has changed. */
export class UpdateRefused extends Error {
  override readonly name = 'UpdateRefused';
}

/** The owner stopped the device: an update would start it. */
export class DeviceStopped extends UpdateRefused {
  constructor() {
    super('the device is stopped: an update has to start it, so start it first');
  }
}

/** The new release did not work: the device runs the one before again. */
export class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

export interface UpdaterOptions {
  readonly installation: Installation;
  readonly source: ReleaseSource;
  readonly service: DeviceProcess;
  readonly clock: Clock;
  readonly onStep: (step: UpdateStep, version: string) => void;
}

export interface Wanted {
  readonly channel: ReleaseChannel;
  /** Without a person's request the release's percentage counts, and one that failed here before is not taken. */
  readonly isAutomatic: boolean;
}

/** Updates a device that is installed from release archives, and goes back where the new release does not work. */
export class Updater {
  readonly #options: UpdaterOptions;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /**
   * @returns the release to update to; undefined where the device has the newest that is meant for it
   * @throws UpdateRefused, InvalidManifest, or an error where the server cannot be reached
   */
  async available({ channel, isAutomatic }: Wanted): Promise<ReleaseManifest | undefined> {
    const { installation } = this.#options;
    // Devices on beta take the stable release once it is the newer one.
    const channels: readonly ReleaseChannel[] = channel === 'beta' ? ['beta', 'stable'] : ['stable'];
    const manifests: ReleaseManifest[] = [];
    // One after the other: each notes in the same file what the device has seen.
    for (const one of channels) {
      const manifest = await this.#manifest(one);
      if (manifest !== undefined) manifests.push(manifest);
    }
    if (manifests.length === 0)
      throw new UpdateRefused(`${this.#options.source.url} has no release of ${channel}`);
    const current = await installation.current();
    const newer = manifests.filter(({ version }) => compareVersions(version, current) > 0);
    const meant = isAutomatic ? await this.#meant(newer) : newer;
    const release = newestRelease(meant);
    if (release !== undefined && compareVersions(current, release.minimumVersion) < 0) {
      throw new UpdateRefused(
        `release ${release.version} needs ${release.minimumVersion} at least, and this device has ${current}`,
      );
    }
    return release;
  }

  /**
   * Installs the release that is available.
   *
   * @returns its version; undefined where there is none
   * @throws as `available`; DeviceStopped; RolledBack; MachineStopping; another error where it could not be installed and nothing was switched
   */
  async update(wanted: Wanted): Promise<string | undefined> {
    const { installation } = this.#options;
    using _ = await lockUpdates(installation.folder);
    await this.#requireRunning();
    await this.#settle();
    const release = await this.available(wanted);
    if (release === undefined) return undefined;
    const trial = { from: await installation.current(), to: release.version };
    try {
      await this.#install(release);
    } catch (error) {
      await rm(this.#archivePath(release.version), { force: true });
      await rm(installation.unfinishedFolder(release.version), { recursive: true, force: true });
      await this.#record(trial, 'failed', messageOf(error));
      throw error;
    }
    await this.#try(trial);
    return release.version;
  }

  /** Ends an update that was interrupted: by a power cut, or because its process was ended. @throws RolledBack */
  async settle(): Promise<void> {
    using _ = await lockUpdates(this.#options.installation.folder);
    await this.#settle();
  }

  /** Goes back to the release before, by hand. @returns its version. @throws DeviceStopped, UpdateRefused, RolledBack */
  async rollBack(): Promise<string> {
    const { installation } = this.#options;
    using _ = await lockUpdates(installation.folder);
    await this.#requireRunning();
    await this.#settle();
    const from = await installation.current();
    const records = await installation.records();
    const before = records.findLast(({ outcome, to }) => outcome === 'installed' && to === from)?.from;
    if (before === undefined || !(await installation.hasRelease(before))) {
      throw new UpdateRefused(`the release before ${from} is not on this device any more`);
    }
    // Updates without a request do not take it again.
    await this.#record({ from: before, to: from }, 'rolled_back', 'by hand');
    await this.#switch({ from, to: before });
    return before;
  }

  async #requireRunning(): Promise<void> {
    if (await this.#options.service.isStopped()) throw new DeviceStopped();
  }

  async #manifest(channel: ReleaseChannel): Promise<ReleaseManifest | undefined> {
    const { installation, source, clock } = this.#options;
    const manifest = await fetchManifest(source, channel, clock.now());
    if (manifest === undefined) return undefined;
    const issuedMs = Date.parse(manifest.issuedAt);
    if (issuedMs < (await installation.seenMs(channel))) {
      throw new InvalidManifest(`the manifest of ${channel} is older than one that this device has seen`);
    }
    await installation.noteSeen(channel, issuedMs);
    return manifest;
  }

  async #meant(manifests: readonly ReleaseManifest[]): Promise<readonly ReleaseManifest[]> {
    const { installation } = this.#options;
    const seed = await installation.seed();
    const records = await installation.records();
    const didNotWork = new Set(records.flatMap(({ outcome, to }) => (outcome === 'rolled_back' ? [to] : [])));
    return manifests.filter((manifest) => isInStage(manifest, seed) && !didNotWork.has(manifest.version));
  }

  /** Puts a release beside the one that runs. */
  async #install({ version, archives }: ReleaseManifest): Promise<void> {
    const { installation, source, onStep } = this.#options;
    const archive = archives[process.arch];
    if (archive === undefined) throw new UpdateRefused(`release ${version} is not made for ${process.arch}`);
    await this.#requireSpace(archive);
    const path = this.#archivePath(version);
    const folder = installation.unfinishedFolder(version);
    onStep('download', version);
    await downloadArchive(source, archive, path);
    onStep('unpack', version);
    await unpack(path, folder);
    await rm(path);
    onStep('try', version);
    await this.#requireVersion(folder, version);
    // The files of the release must be on the disk before a link leads to them.
    await promisify(execFile)('sync', ['-f', folder]);
    onStep('name', version);
    await installation.finish(version);
  }

  async #requireSpace({ sizeBytes, unpackedBytes }: ReleaseArchive): Promise<void> {
    const { bavail, bsize } = await statfs(this.#options.installation.folder);
    const missing = sizeBytes + unpackedBytes + SPARE_BYTES - bavail * bsize;
    if (missing > 0) throw new UpdateRefused(`the disk is full: ${Math.ceil(missing / 1e6)} MB are missing`);
  }

  /** A release for other machines, or one that is damaged, does not get this far. */
  async #requireVersion(folder: string, version: string): Promise<void> {
    const { stdout } = await promisify(execFile)(join(folder, NODE), [join(folder, PROGRAM), '--version'], {
      timeout: VERSION_TIMEOUT_MS,
      cwd: '/',
    }).catch((error: unknown) => {
      throw new Error(`release ${version} does not run on this machine: ${messageOf(error).split('\n')[0]}`);
    });
    if (stdout.trim() !== version)
      throw new Error(`the archive of release ${version} has release ${stdout.trim()}`);
  }

  /** @throws RolledBack */
  async #try(trial: Trial): Promise<void> {
    const { installation } = this.#options;
    await this.#switch(trial);
    await installation.removeOthers([trial.from, trial.to]);
  }

  async #switch(trial: Trial): Promise<void> {
    const { installation, onStep } = this.#options;
    onStep('begin trial', trial.to);
    await installation.beginTrial(trial);
    onStep('switch', trial.to);
    await installation.switchTo(trial.to);
    await this.#judge(trial);
  }

  /** Restarts the device with the release on trial, and keeps it or goes back. */
  async #judge(trial: Trial): Promise<void> {
    const { installation, service, onStep } = this.#options;
    onStep('restart', trial.to);
    let reason: string | undefined;
    try {
      await service.restart();
      onStep('wait', trial.to);
      reason = await service.unhealthyReason(() => installation.gaveUp());
    } catch (error) {
      if (error instanceof MachineStopping) throw error;
      reason = `it does not start: ${messageOf(error)}`;
    }
    if (reason !== undefined) await this.#goBack(trial, reason);
    onStep('confirm', trial.to);
    await this.#record(trial, 'installed', null);
    await installation.endTrial();
  }

  async #goBack(trial: Trial, reason: string): Promise<never> {
    const { installation, service, onStep } = this.#options;
    onStep('roll back', trial.from);
    await this.#record(trial, 'rolled_back', reason);
    await installation.forgetGaveUp();
    await installation.switchTo(trial.from);
    onStep('restart again', trial.from);
    const failure = await service.restart().then(
      () => undefined,
      (error: unknown) => messageOf(error),
    );
    await installation.endTrial();
    const again = failure === undefined ? '' : `; ${trial.from} does not start either: ${failure}`;
    throw new RolledBack(
      `release ${trial.to} did not work, and the device runs ${trial.from} again: ${reason}${again}`,
    );
  }

  async #settle(): Promise<void> {
    const { installation, service, onStep } = this.#options;
    const trial = await installation.trial();
    const current = await installation.current();
    if (trial?.to === current) {
      await this.#judge(trial);
    } else if (trial !== undefined) {
      const reason = await installation.gaveUp();
      if (reason !== undefined) await this.#record(trial, 'rolled_back', reason);
      // The running process may still be of the release that was left.
      onStep('restart again', current);
      await service.restart().catch((error: unknown) => {
        // A device that does not start for another reason may need the next release.
        if (error instanceof MachineStopping) throw error;
      });
      await installation.endTrial();
    }
    const records = await installation.records();
    const before = records.findLast(({ outcome, to }) => outcome === 'installed' && to === current)?.from;
    await installation.removeOthers([current, ...(before === undefined ? [] : [before])]);
  }

  /** A full disk must not keep a device on a release that does not work. */
  async #record({ from, to }: Trial, outcome: UpdateOutcome, reason: string | null): Promise<void> {
    const { installation, clock } = this.#options;
    const at = new Date(clock.now()).toISOString();
    await installation.record({ at, outcome, from, to, reason }).catch(() => undefined);
  }

  #archivePath(version: string): string {
    return `${this.#options.installation.unfinishedFolder(version)}.tar.zst`;
  }
}

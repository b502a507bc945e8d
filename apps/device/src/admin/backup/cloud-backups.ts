import { buffer } from 'node:stream/consumers';
import { MAX_DEVICE_BACKUP_BYTES } from '@heliograph/contracts';
import { AppError, type Clock, type Logger, messageOf, reasonOf } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { CloudAccess } from '../../common/call-cloud.ts';
import type { Registration } from '../../common/registration.ts';
import type { CloudBackupState } from '../../serve/api/pages/page-operations.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import { type BackupKey, newBackupKey, type ScryptCost } from './backup-key.ts';
import { removeBackups, uploadBackup } from './cloud-calls.ts';
import { type BackupSource, makeBackup } from './make-backup.ts';
import { canonicalCode, fetchHashOf, fetchTokenOf, newRecoveryCode } from './recovery-code.ts';

const KEY = 'cloud_backup';

const DAY_MS = 24 * 60 * 60_000;

/** How often the device looks whether a backup is due, in milliseconds; failed ones are tried again as often. */
const CHECK_MS = 10 * 60_000;

/** The stored part: the key that the cloud never has, without the code that it follows from. */
interface Enabled {
  readonly key: { readonly salt: string; readonly secret: string; readonly cost: BackupKey['cost'] };
  readonly fetch_hash: string;
  /** When the last one was stored, in milliseconds since the epoch; null before the first. */
  readonly stored_at: number | null;
  readonly size: number | null;
  readonly has_history: boolean;
}

const STORED = Compile(
  Type.Object({
    key: Type.Object({
      salt: Type.String(),
      secret: Type.String(),
      cost: Type.Object({ logN: Type.Integer(), r: Type.Integer(), p: Type.Integer() }),
    }),
    fetch_hash: Type.String(),
    stored_at: Type.Union([Type.Number(), Type.Null()]),
    size: Type.Union([Type.Number(), Type.Null()]),
    has_history: Type.Boolean(),
  }),
);

/** Backups in the cloud cannot be turned on now. */
class NoCloud extends AppError {
  constructor() {
    super('This device has no cloud', { code: 'no_cloud', status: 409 });
  }
}

export interface CloudBackupOptions {
  readonly source: BackupSource;
  readonly store: KeyValueStore;
  /** Undefined for a device without a cloud. */
  readonly access: CloudAccess | undefined;
  /** Of the key of the backups; another one in tests alone. */
  readonly keyCost?: ScryptCost | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Backups that the device encrypts and stores in its cloud every day, once its owner has turned them on. */
export class CloudBackups {
  readonly #options: CloudBackupOptions;
  #timer: NodeJS.Timeout | undefined;
  #problem: string | null = null;
  #running: Promise<void> | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: CloudBackupOptions) {
    this.#options = options;
  }

  get state(): CloudBackupState {
    const enabled = this.#enabled();
    return {
      enabled: enabled !== undefined,
      storedAt: enabled?.stored_at ?? null,
      size: enabled?.size ?? null,
      hasHistory: enabled?.has_history ?? false,
      problem: enabled === undefined ? null : this.#problem,
    };
  }

  /**
   * Makes a new recovery code, and stores the first backup.
   *
   * @returns the code, which is shown once and not stored
   * @throws NoCloud
   */
  async enable(): Promise<string> {
    if (this.#options.access === undefined) throw new NoCloud();
    const code = newRecoveryCode();
    const { salt, secret, cost } = await newBackupKey(canonicalCode(code), this.#options.keyCost);
    this.#save({
      key: { salt: salt.toString('base64'), secret: secret.toString('base64'), cost },
      fetch_hash: fetchHashOf(fetchTokenOf(code)),
      stored_at: null,
      size: null,
      has_history: false,
    });
    void this.#storeIfDue();
    return code;
  }

  /** Deletes those in the cloud; without the cloud they stay until their site goes. */
  async disable(): Promise<void> {
    const { access, store, clock, logger } = this.#options;
    store.delete(KEY);
    await this.#running;
    if (access === undefined) return;
    await removeBackups(access, clock.now()).catch((error: unknown) => {
      logger.warn({ reason: reasonOf(error) }, 'the backups in the cloud could not be deleted');
    });
  }

  /** @param registration without which the cloud takes none */
  start(registration: Registration): void {
    this.#unsubscribe = registration.whenConfirmed(() => void this.#storeIfDue());
    this.#timer = setInterval(() => {
      if (registration.isConfirmed) void this.#storeIfDue();
    }, CHECK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe?.();
    await this.#running;
  }

  #storeIfDue(): Promise<void> {
    this.#running ??= this.#store().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #store(): Promise<void> {
    const { access, clock, logger } = this.#options;
    const enabled = this.#enabled();
    if (enabled === undefined || access === undefined) return;
    const age = clock.now() - (enabled.stored_at ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < DAY_MS) return;
    try {
      const { bytes, hasHistory } = await this.#make(enabled);
      await uploadBackup(access, bytes, enabled.fetch_hash, clock.now());
      // It may have been turned off, or on again with another code, meanwhile.
      if (this.#enabled()?.fetch_hash !== enabled.fetch_hash) return;
      this.#save({ ...enabled, stored_at: clock.now(), size: bytes.length, has_history: hasHistory });
      this.#problem = null;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== this.#problem) logger.warn({ reason }, 'a backup could not be stored in the cloud');
      this.#problem = reason;
    }
  }

  /** With the history where the cloud takes so much. */
  async #make(enabled: Enabled): Promise<{ bytes: Uint8Array<ArrayBuffer>; hasHistory: boolean }> {
    const { salt, secret, cost } = enabled.key;
    const key = { salt: Buffer.from(salt, 'base64'), secret: Buffer.from(secret, 'base64'), cost };
    for (const history of ['summary', 'none'] as const) {
      const made = await makeBackup(this.#options.source, { key, history }).catch((error: unknown) => {
        if (history === 'none') throw error;
        this.#options.logger.warn({ reason: messageOf(error) }, 'the backup for the cloud has no history');
        return undefined;
      });
      if (made === undefined) continue;
      const bytes = await buffer(made);
      if (bytes.length <= MAX_DEVICE_BACKUP_BYTES) return { bytes, hasHistory: history !== 'none' };
    }
    throw new Error('the backup is too large for the cloud');
  }

  #enabled(): Enabled | undefined {
    return this.#options.store.json(KEY, STORED, undefined);
  }

  #save(enabled: Enabled): void {
    this.#options.store.set(KEY, JSON.stringify(enabled));
  }
}

import type { Readable } from 'node:stream';
import type {
  DeviceAbout,
  DeviceClaim,
  DeviceConfiguration,
  DeviceConfigurationChange,
  DeviceLinks,
  NotificationReceiver,
  NotificationTest,
  ProbeBody,
  ProbeReport,
} from '@heliograph/contracts';
import type { Actor } from '../../../access/audit/audit.ts';
import type { Caller, Origin } from '../../../access/caller.ts';

/** The state of a device's registration at its cloud. */
export type ClaimFacts = Omit<DeviceClaim, 'portal_url'>;

/** The configuration file, as pages read and change it. */
export interface ConfigurationFile {
  get(): Promise<DeviceConfiguration>;
  /**
   * Takes effect soon after it resolves.
   *
   * @throws ValidationError by dotted path; then nothing changed
   */
  change(change: DeviceConfigurationChange, caller: Caller): Promise<DeviceConfiguration>;
  /** Makes the caller the author of a suspended delegation. @throws NotFound; Forbidden */
  keepDelegation(id: string, caller: Caller): Promise<DeviceConfiguration>;
  /** Takes effect soon after it resolves. @throws NotFound */
  endDelegation(id: string, caller: Caller): Promise<DeviceConfiguration>;
}

/** Looking for hardware, one look at a time. */
export interface ProbeOperations {
  /** @returns the probe's id @throws ProbeRunning, or ValidationError when the request names something unknown */
  start(body: ProbeBody, caller: Caller): Promise<string>;
  /** Undefined when it is not the last one. */
  report(id: string, caller: Caller): ProbeReport | undefined;
  /** Ends it; nothing where it has ended already. */
  cancel(id: string): Promise<void>;
}

/** Receivers of alerts, to which the device sends by itself. */
export interface ReceiverOperations {
  list(): NotificationReceiver[];
  /** Sends a message to each. */
  test(): Promise<NotificationTest[]>;
}

/** A diagnostic bundle that is being made. */
export interface DiagnosticBundle {
  readonly fileName: string;
  readonly zip: Readable;
}

export interface BundleOptions {
  readonly via: Origin['via'];
  /** Whether the last bytes of each bus go along. */
  readonly frames: boolean;
}

/** A backup that is being made, as it is downloaded. */
export interface BackupDownload {
  readonly fileName: string;
  readonly content: Readable;
}

export interface BackupRequest {
  readonly passphrase: string;
  readonly history: boolean;
}

/** The device that a backup restores. */
export interface RestoredDevice {
  readonly uid: string;
  readonly siteName: string | null;
  /** When the backup was made, ISO 8601. */
  readonly madeAt: string;
  readonly hasHistory: boolean;
  /** Why the configuration of the backup cannot be used here; null when it can, and where there is none. */
  readonly configurationProblem: string | null;
}

/** Backups in the cloud, as the owner sees them. */
export interface CloudBackupState {
  readonly enabled: boolean;
  /** In milliseconds since the epoch; null before the first one. */
  readonly storedAt: number | null;
  /** In bytes. */
  readonly size: number | null;
  readonly hasHistory: boolean;
  /** Why the last attempt failed; null when it did not. */
  readonly problem: string | null;
}

/** Backups in the cloud, which the owner turns on and off. */
export interface CloudBackupOperations {
  readonly state: CloudBackupState;
  /** @returns the recovery code, which is shown once @throws AppError with 409 without a cloud */
  enable(): Promise<string>;
  disable(): Promise<void>;
}

/** Backups, and restoring one. */
export interface BackupOperations {
  /** @throws ValidationError for a passphrase that is too short, AppError with 503 when it cannot be made now */
  make(request: BackupRequest): Promise<BackupDownload>;
  /** @param offset 0 begins again @throws AppError with 409 for a part that does not follow the one before */
  upload(offset: number, part: Uint8Array): Promise<void>;
  /** @throws ValidationError, Unprocessable, AppError with 503 */
  restore(passphrase: string, author: Actor): Promise<RestoredDevice>;
  /** From the cloud, by the recovery code. @throws as `restore` */
  restoreFromCloud(code: string, author: Actor): Promise<RestoredDevice>;
  readonly cloud: CloudBackupOperations;
}

/** Operations for the device's own pages, besides its metrics. */
export interface PageOperations {
  about(): DeviceAbout;
  claim(): ClaimFacts;
  /** @param via from outside the home only whether each works */
  links(via: Origin['via']): DeviceLinks;
  /** @throws AppError with 503 while others are being fetched */
  diagnostics(options: BundleOptions): Promise<DiagnosticBundle>;
  readonly probes: ProbeOperations;
  readonly receivers: ReceiverOperations;
  /** Left out where the device cannot restart itself. */
  readonly backups?: BackupOperations | undefined;
  /** Left out where the device cannot restart itself. */
  readonly configuration?: ConfigurationFile | undefined;
  /** Sets the store aside and starts with another one soon; left out where the device cannot restart itself. */
  readonly startStore?: (() => Promise<void>) | undefined;
  /** Starts the device again soon; left out where it cannot. */
  readonly restart?: ((caller: Caller) => void) | undefined;
}

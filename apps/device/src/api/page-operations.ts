import type { Readable } from 'node:stream';
import type {
  DeviceAbout,
  DeviceClaim,
  DeviceConfiguration,
  DeviceConfigurationChange,
  DeviceLinks,
  ProbeBody,
  ProbeReport,
} from '@heliograph/contracts';
import type { Caller, Origin } from '../auth/caller.ts';

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

/** Operations for the device's own pages, besides its metrics. */
export interface PageOperations {
  about(): DeviceAbout;
  claim(): ClaimFacts;
  /** @param via from outside the home only whether each works */
  links(via: Origin['via']): DeviceLinks;
  /** @throws AppError with 503 while others are being fetched */
  diagnostics(options: BundleOptions): Promise<DiagnosticBundle>;
  readonly probes: ProbeOperations;
  /** Left out where the device cannot restart itself. */
  readonly configuration?: ConfigurationFile | undefined;
  /** Starts the device again soon; left out where it cannot. */
  readonly restart?: ((caller: Caller) => void) | undefined;
}

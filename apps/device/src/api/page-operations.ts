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

/** Where a device stands with its cloud. */
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
  /** @returns the probe's id @throws ProbeRunning, or ValidationError when the wish names something there is not */
  start(body: ProbeBody, caller: Caller): Promise<string>;
  /** Undefined when it is not the last one. */
  report(id: string, caller: Caller): ProbeReport | undefined;
  /** Ends it; nothing where it has ended already. */
  cancel(id: string): Promise<void>;
}

/** What the device's own pages ask about the device, besides its metrics. */
export interface PageOperations {
  about(): DeviceAbout;
  claim(): ClaimFacts;
  /** @param via from outside the home only whether each works */
  links(via: Origin['via']): DeviceLinks;
  readonly probes: ProbeOperations;
  /** Left out where nobody can start the device anew. */
  readonly configuration?: ConfigurationFile | undefined;
}

import type { Entry } from '../entries.ts';
import { METER } from '../meter-quantities.ts';
import type { Answer } from './fields.ts';

/** The path that every generation answers without a password. */
export const IDENTITY_PATH = '/shelly';

/** The nameplate of a device, from its answer to `/shelly`. */
export interface ShellyIdentity {
  readonly generation: number;
  readonly model: string;
  /** Its MAC address, which the API has as the number of the device. */
  readonly serialNumber: string;
  readonly firmwareVersion: string | null;
  /** Channels of a meter of the first generation. */
  readonly emeters: number;
}

/** Names of models of the first generation, which later ones report themselves. */
const FIRST_GENERATION: Readonly<Record<string, string>> = { SHEM: 'EM', 'SHEM-3': '3EM' };

/** @returns undefined for the answer of anything else */
export function identityOf(answer: Answer): ShellyIdentity | undefined {
  const { mac, type, app, model, gen, fw, ver, num_emeters: emeters } = answer;
  if (typeof mac !== 'string') return undefined;
  const version = ver ?? fw;
  const shared = {
    serialNumber: mac,
    firmwareVersion: typeof version === 'string' ? version : null,
    emeters: typeof emeters === 'number' ? emeters : 0,
  };
  if (typeof gen === 'number' && gen >= 2) {
    const name = [app, model].find((text) => typeof text === 'string');
    return { ...shared, generation: gen, model: `Shelly ${name ?? ''}`.trim() };
  }
  if (typeof type !== 'string') return undefined;
  return { ...shared, generation: 1, model: `Shelly ${FIRST_GENERATION[type] ?? type}` };
}

/**
 * The nameplate of one of the device's meters.
 *
 * @param channel distinguishes the meters of one device, also by their serial numbers
 */
export function identityEntries(
  { model, serialNumber, firmwareVersion }: ShellyIdentity,
  channel: number | undefined,
): readonly Entry[] {
  return [
    [METER.modelName, model],
    [METER.serialNumber, channel === undefined ? serialNumber : `${serialNumber}-${channel}`],
    ...(firmwareVersion === null ? [] : [[METER.firmwareVersion, firmwareVersion] as const]),
  ];
}

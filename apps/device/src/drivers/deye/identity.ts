import type { MetricValue } from '@heliograph/metrics';
import { readRow } from '../modbus/codec.ts';
import type { RegisterValues } from '../registers.ts';
import type { DeyeRegisterRow } from './row.ts';
import { inProfile, isThreePhase, type Profile } from './row.ts';
import { SINGLE_PHASE } from './single-phase.ts';
import { THREE_PHASE } from './three-phase.ts';

/** The registers by which an inverter is recognised. */
export const IDENTITY = { address: 0, count: 25 } as const;

/** Bits 8 to 11 are PV inputs, 0 to 3 phases. */
const INPUTS_REGISTER = { single: 18, three: 22 } as const;

/** The nameplate of an inverter; null where it reports none, or the recording does not hold it. */
export interface DeyeIdentity {
  readonly profile: Profile;
  readonly serialNumber: string | null;
  readonly ratedW: number | null;
  readonly strings: number | null;
  readonly phases: number | null;
}

export function identityOf(profile: Profile, frame: RegisterValues): DeyeIdentity {
  const serialNumber = namedValue('Serial number', profile, frame);
  const ratedW = namedValue('Rated power', profile, frame);
  const inputs = frame.get(isThreePhase(profile) ? INPUTS_REGISTER.three : INPUTS_REGISTER.single) ?? 0;
  const strings = inputs >> 8;
  const phases = inputs & 0xff;
  const plausible = strings >= 1 && strings <= 15 && phases >= 1 && phases <= 3;
  return {
    profile,
    serialNumber: typeof serialNumber === 'string' ? serialNumber : null,
    ratedW: typeof ratedW === 'number' ? ratedW : null,
    strings: plausible ? strings : null,
    phases: plausible ? phases : null,
  };
}

const MAPS: Readonly<Record<Profile, readonly DeyeRegisterRow[]>> = {
  'single-phase': SINGLE_PHASE,
  'single-phase 16 kW': SINGLE_PHASE.map((row) => inProfile(row, 'single-phase 16 kW')),
  'three-phase LV': THREE_PHASE,
  'three-phase HV': THREE_PHASE.map((row) => inProfile(row, 'three-phase HV')),
};

/** The measurements of a profile, without those of batteries. */
export function measuredRows(profile: Profile): readonly DeyeRegisterRow[] {
  return MAPS[profile];
}

export function serialNumberRow(profile: Profile): DeyeRegisterRow {
  const row = measuredRows(profile).find(({ quantity }) => quantity.name === 'Serial number');
  if (row === undefined) throw new RangeError(`the map of ${profile} has no serial number`);
  return row;
}

/** @returns undefined when the frame does not hold it */
export function namedValue(name: string, profile: Profile, frame: RegisterValues): MetricValue | undefined {
  const row = measuredRows(profile).find(({ quantity }) => quantity.name === name);
  return row === undefined ? undefined : readRow(row, frame);
}

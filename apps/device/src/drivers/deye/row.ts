import { isNumber, type RegisterRow } from '../modbus/row.ts';

/**
 * A register map: two of them, each with a variant whose powers or voltages are counted more coarsely.
 */
export const PROFILES = ['single-phase', 'single-phase 16 kW', 'three-phase LV', 'three-phase HV'] as const;
export type Profile = (typeof PROFILES)[number];

export function isThreePhase(profile: Profile): boolean {
  return profile === 'three-phase LV' || profile === 'three-phase HV';
}

/** A row of a map, before the profile is known. */
export type DeyeRegisterRow = RegisterRow & {
  /** Left out on inverters without it. */
  readonly needs?: Needs;
  /** The value of one count on profiles that count differently. */
  readonly scales?: Scales;
};

export type Scales = Readonly<Partial<Record<Profile, number>>>;

/** The inputs and phases that a row requires, as the inverter reports them. */
export interface Needs {
  /** PV inputs, at least. */
  readonly strings?: number;
  /** Phases of its output, exactly. */
  readonly phases?: number;
}

/** The row with the scale of this profile. */
export function inProfile(row: DeyeRegisterRow, profile: Profile): DeyeRegisterRow {
  const scale = row.scales?.[profile];
  return scale === undefined || !isNumber(row) ? row : { ...row, scale };
}

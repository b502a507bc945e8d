import type { RegisterValues } from '../registers.ts';
import type { Profile } from './profile.ts';

/** State of charge and voltage of the second battery input. */
const SECOND = { stateOfCharge: 589, voltage: 593 } as const;

/** Voltages that a battery can have, in the register's counts: 38 to 65 V in hundredths, 100 to 1000 V in tenths. */
const PLAUSIBLE = { low: [3_800, 6_500], high: [1_000, 10_000] } as const;

/**
 * Whether something hangs on the second battery input. Inverters without one leave its registers empty; what
 * others may keep there is told apart by what a battery can measure.
 */
export function hasTwoBatteries(profile: Profile, frame: RegisterValues): boolean {
  const [least, most] = profile === 'three-phase HV' ? PLAUSIBLE.high : PLAUSIBLE.low;
  const percent = frame.get(SECOND.stateOfCharge) ?? 0xffff;
  const counts = frame.get(SECOND.voltage) ?? 0;
  return percent <= 100 && counts >= least && counts <= most;
}

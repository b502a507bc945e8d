import { numberIn } from './row-reading.ts';
import type { ServiceFrame } from './service-reader.ts';
import { PHASE_POWERS, type PhasePowerName } from './system-map.ts';

/** Whole watts; null is unknown, undefined was not read. */
export type Watts = number | null | undefined;

/** From here on an unsigned register holds a small negative number, such as a PV inverter's consumption at night. */
const WRAPPED_FROM = 0xfc00;

/** Beyond this a battery's power does not fit into its register of 16 bits, which then holds an arbitrary value. */
const FITS_W = 30_000;

/** Undefined when a part was not read, null when a part is unknown. */
export function total(parts: readonly Watts[]): Watts {
  if (parts.includes(undefined)) return undefined;
  const known = parts.filter((part) => typeof part === 'number');
  return known.length < parts.length ? null : known.reduce((sum, part) => sum + part, 0);
}

export function opposite(watts: Watts): Watts {
  return typeof watts === 'number' ? 0 - watts : watts;
}

/** A power of the system by phase, in 32 bits where the GX has those. */
export function phaseWatts(frame: ServiceFrame, name: PhasePowerName): readonly Watts[] {
  const { wide, narrow, isSigned } = PHASE_POWERS[name];
  return wide.map((row, phase) => {
    const watts = numberIn(frame, row);
    if (watts !== undefined) return isSigned ? watts : atLeastNothing(watts);
    const narrowRow = narrow[phase];
    const narrowWatts = narrowRow && numberIn(frame, narrowRow);
    return isSigned ? narrowWatts : unwrapped(narrowWatts);
  });
}

/**
 * The power of a battery, positive into it.
 *
 * @param reported from a register of 16 bits
 */
export function batteryWatts(reported: Watts, volts: number, amperes: Watts): Watts {
  const product = typeof amperes === 'number' ? Math.round(volts * amperes) : undefined;
  const tooMuch = product !== undefined && Math.abs(product) > FITS_W;
  return tooMuch ? product : reported;
}

function unwrapped(watts: Watts): Watts {
  return typeof watts === 'number' && watts >= WRAPPED_FROM ? 0 : watts;
}

/** A power with one direction is never negative; readings of loads and PV inverters may be by a few watts. */
function atLeastNothing(watts: number | null): number | null {
  return watts === null ? null : Math.max(0, watts);
}

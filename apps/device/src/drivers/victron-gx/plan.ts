import type { GxDevices, GxFrames } from './frames.ts';
import { phaseWatts } from './powers.ts';
import { valueIn } from './row-reading.ts';
import { INPUT_SOURCE, PHASES, SYSTEM_BATTERY } from './system-map.ts';
import { PHASE_COUNT } from './vebus-map.ts';

/** What a system is made of, decided when it was opened. */
export interface Plan {
  readonly devices: GxDevices;
  /** AC phases in use, 1 to 3. */
  readonly phases: number;
  /** Whether a grid (or shore) power is measured. */
  readonly hasGrid: boolean;
  readonly hasBattery: boolean;
}

/**
 * A GX sends 0 for what it does not have, so devices decide first, and then whether anything was ever other than 0.
 */
export function planOf(devices: GxDevices, frames: GxFrames): Plan {
  const { system } = frames;
  const flows = phaseWatts(system, 'grid');
  const source = valueIn(system, INPUT_SOURCE);
  const { vebus, gridMeter, batteries, solarChargers } = devices;
  return {
    devices,
    phases: Math.max(vebusPhases(frames), phasesUsed(frames)),
    hasGrid:
      vebus !== undefined ||
      gridMeter !== undefined ||
      (typeof source === 'string' && source !== INPUT_SOURCE.labels[0]) ||
      flows.some((watts) => typeof watts === 'number' && watts !== 0),
    hasBattery:
      vebus !== undefined ||
      batteries.length > 0 ||
      solarChargers.length > 0 ||
      typeof valueIn(system, SYSTEM_BATTERY.voltage) === 'number',
  };
}

/** Whether a later poll shows more phases, a grid or a battery that there was not. */
export function outgrows(now: Plan, { phases, hasGrid, hasBattery }: Plan): boolean {
  return now.phases > phases || (now.hasGrid && !hasGrid) || (now.hasBattery && !hasBattery);
}

function vebusPhases({ vebus }: GxFrames): number {
  const phases = valueIn(vebus, PHASE_COUNT);
  return typeof phases === 'number' && phases <= PHASES.length ? phases : 1;
}

/** The highest phase on which something flows. */
function phasesUsed({ system }: GxFrames): number {
  const [grid, consumption] = [phaseWatts(system, 'grid'), phaseWatts(system, 'consumption')];
  return Math.max(1, ...PHASES.map((phase) => (grid[phase] || consumption[phase] ? phase + 1 : 1)));
}

import type { RegisterRow } from '../modbus/row.ts';
import { PHASE_COUNT } from './device-maps.ts';
import type { GxDevices, GxFrames } from './gx-reader.ts';
import { batteryWatts, opposite, phaseWatts, total, type Watts } from './powers.ts';
import { decodeRow, numberIn, type RowReading, valueIn } from './row-reading.ts';
import {
  AC_PV,
  DC_LOAD,
  DC_PV,
  ESSENTIAL,
  GENERATOR,
  GRID,
  GRID_PHASES,
  INPUT_SOURCE,
  LOAD,
  LOAD_PHASES,
  NON_ESSENTIAL,
  PHASES,
  type PhasePowerName,
  PV,
  SERIAL_NUMBER,
  SYSTEM_BATTERY,
} from './system-map.ts';

/** The make-up of a system, determined when it is opened. */
export interface GxPlan {
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
export function planOf(devices: GxDevices, frames: GxFrames): GxPlan {
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
export function outgrows(now: GxPlan, { phases, hasGrid, hasBattery }: GxPlan): boolean {
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

/** The readings of the whole system, in whole watts that balance: PV + grid + generator - battery = load. */
export function decodeSystem(plan: GxPlan, frames: GxFrames): readonly RowReading[] {
  const { system, vebus } = frames;
  const { phases, hasGrid, hasBattery } = plan;
  const powers = (name: PhasePowerName) => phaseWatts(system, name);
  const noGrid = gridIsLost(plan, frames);
  const unless = (lost: boolean, name: PhasePowerName) => (lost ? PHASES.map(() => null) : powers(name));
  const gridPhases = unless(noGrid, 'grid');
  const behindVebus = (name: PhasePowerName): Watts => total(unless(vebus === 'absent', name));

  const acPv = total([...powers('pvOnOutput'), ...powers('pvOnGrid'), ...powers('pvOnGenerator')]);
  const pv = total([dcPv(frames), acPv]);
  const grid = total(gridPhases);
  const generator = behindVebus('generator');
  const load = total([
    pv,
    hasGrid ? grid : 0,
    generator === undefined ? 0 : generator,
    hasBattery ? opposite(storedWatts(frames)) : 0,
  ]);

  return [
    decodeRow(system, SERIAL_NUMBER),
    decodeRow(system, INPUT_SOURCE),
    { quantity: PV, value: pv },
    { quantity: AC_PV, value: acPv, optional: true },
    ...(hasGrid ? [{ quantity: GRID, value: grid }] : []),
    ...(hasGrid && phases > 1 ? byPhase(GRID_PHASES, gridPhases, phases) : []),
    { quantity: GENERATOR, value: generator, optional: true },
    ...(hasBattery ? decodeSystemBattery(frames) : []),
    ...(hasGrid || hasBattery ? [{ quantity: LOAD, value: load }] : []),
    ...(phases > 1 ? byPhase(LOAD_PHASES, unless(noGrid || vebus === 'absent', 'consumption'), phases) : []),
    ...(plan.devices.vebus === undefined
      ? []
      : [
          { quantity: ESSENTIAL, value: behindVebus('loadOnOutput') },
          { quantity: NON_ESSENTIAL, value: behindVebus('loadOnInput') },
        ]),
    { ...decodeRow(system, DC_LOAD), optional: true },
  ];
}

/** Without the device that measures it the GX sends 0. */
function gridIsLost({ devices }: GxPlan, { grid, vebus }: GxFrames): boolean {
  return devices.gridMeter === undefined ? vebus === 'absent' : grid === 'absent';
}

/** A solar charger that the GX lost is missing from the sum, which is then too low. */
function dcPv({ system, solarChargers }: GxFrames): Watts {
  return solarChargers.includes('absent') ? null : numberIn(system, DC_PV);
}

/** The power into the battery, in watts; a battery of 0 V is none. */
function storedWatts({ system }: GxFrames): Watts {
  const volts = numberIn(system, SYSTEM_BATTERY.voltage);
  if (typeof volts !== 'number') return volts;
  const amperes = numberIn(system, SYSTEM_BATTERY.current);
  return batteryWatts(numberIn(system, SYSTEM_BATTERY.power), volts, amperes);
}

function decodeSystemBattery(frames: GxFrames): readonly RowReading[] {
  const { system, batteries } = frames;
  const { voltage, current, power, stateOfCharge, state } = SYSTEM_BATTERY;
  const volts = decodeRow(system, voltage);
  const beside = (row: RegisterRow): RowReading =>
    typeof volts.value === 'number' ? decodeRow(system, row) : { quantity: row.quantity, value: volts.value };
  const charge = beside(stateOfCharge);
  // Only a battery service knows how full it is; without one the GX sends 0.
  const unknown = charge.value === 0 && !batteries.some(isThere);
  return [
    unknown ? { ...charge, value: null } : charge,
    volts,
    beside(current),
    { quantity: power.quantity, value: storedWatts(frames) },
    beside(state),
  ];
}

function isThere(frame: GxFrames['system']): boolean {
  return frame !== undefined && frame !== 'absent';
}

function byPhase(
  quantities: readonly RowReading['quantity'][],
  watts: readonly Watts[],
  phases: number,
): readonly RowReading[] {
  return quantities.slice(0, phases).map((quantity, phase) => ({ quantity, value: watts[phase] }));
}

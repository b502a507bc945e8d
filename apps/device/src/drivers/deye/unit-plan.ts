import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import type { Unit } from '../driver.ts';
import { readRow } from '../modbus/codec.ts';
import type { RegisterValues } from '../registers.ts';
import { withCurrentOption } from '../unlisted-option.ts';
import { DEVICE_TYPE_REGISTER } from './device-types.ts';
import { type DeyeIdentity, measuredRows } from './identity.ts';
import { type DeyeRegisterRow, inProfile, isThreePhase, type Profile } from './row.ts';
import { settingsFor } from './settings.ts';
import { ONE_BATTERY, TWO_BATTERIES } from './three-phase.ts';

/** The place of the grid measurement: the inverter's own port, or the current clamp at the meter. */
export type GridMeter = 'inverter' | 'ct';

/** The rows, settings and sums of one unit, determined when it is opened. */
export interface DeyeUnitPlan {
  readonly kind: Unit['kind'];
  readonly model: string | null;
  readonly rows: readonly DeyeRegisterRow[];
  readonly settings: readonly DeyeRegisterRow[];
  readonly sums: Sums;
}

/** Values that are computed from an inverter's rows. */
export interface Sums {
  readonly pv: readonly string[];
  /** Powers of the battery units, to be added up; a battery that was taken off has none. */
  readonly batteries: readonly BatteryPower[];
  /** The source of the load; absent when it is unknown. */
  readonly load?: 'balance' | 'essential';
  readonly nonEssential?: true;
}

export interface BatteryPower {
  readonly row: DeyeRegisterRow;
  readonly isTakenOff: (frame: RegisterValues) => boolean;
}

const NOTHING: Sums = { pv: [], batteries: [] };

/** The names that existing clients know the family by. */
const MODEL = 'Deye, SunSynk, Sol-Ark';
const THREE_PHASE_MODEL = `${MODEL} 3 phase`;

const GRID = quantities.power('Grid power');
const GRID_PORT = quantities.power('Grid power inverter');
const GRID_CT = 'Grid power CT';
export const PV = quantities.power('PV power');
export const BATTERY = quantities.power('Battery power');
export const LOAD = quantities.power('Load power');
export const ESSENTIAL = 'Load power essential';
export const NON_ESSENTIAL = quantities.power('Load power non-essential');

/**
 * One inverter, then its batteries where it has two.
 *
 * @param opened the first frame: registers that it does not hold are not planned
 */
export function planUnits(
  identity: DeyeIdentity,
  opened: RegisterValues,
  gridMeter: GridMeter,
): readonly DeyeUnitPlan[] {
  const { profile } = identity;
  const three = isThreePhase(profile);
  const scaled = (rows: readonly DeyeRegisterRow[]) => rows.map((row) => inProfile(row, profile));
  const batteries = three && hasTwoBatteries(profile, opened) ? TWO_BATTERIES.map(scaled) : [];
  const own = three && batteries.length === 0 ? scaled(ONE_BATTERY) : [];
  const candidates = [...measuredRows(profile), ...own].filter((row) => isFitted(row, identity, opened));
  const measured = bindAll(candidates, opened);
  const rows = gridMeter === 'ct' ? withMeterAtTheGrid(measured) : measured;
  const has = (name: string): boolean => rows.some(({ quantity }) => quantity.name === name);
  const pv = rows.flatMap(({ quantity: { name } }) => (/^PV power \d$/.test(name) ? [name] : []));
  const powers = batteries.flatMap((battery, input) =>
    bindAll(
      battery.filter(({ quantity }) => quantity.name === 'Power'),
      opened,
    ).map((row) => ({ row, isTakenOff: (frame: RegisterValues) => isTakenOff(profile, frame, input) })),
  );
  // A recording without an identity may lack strings or a battery, so the inverter's own load figure counts; with
  // an identity the load is the remainder of the balance.
  const complete = opened.has(DEVICE_TYPE_REGISTER) && pv.length > 0 && has(GRID.name);
  const load = complete ? 'balance' : has(ESSENTIAL) ? 'essential' : undefined;
  const sums: Sums = {
    pv,
    batteries: powers,
    ...(load === undefined ? {} : { load }),
    ...(!three && has(GRID_PORT.name) ? { nonEssential: true } : {}),
  };
  const inverter: DeyeUnitPlan = {
    kind: 'inverters',
    model: three ? THREE_PHASE_MODEL : MODEL,
    rows,
    settings: bindAll(settingsFor(profile, identity.ratedW), opened).map((row) =>
      withSortedOptions(row, readRow(row, opened)),
    ),
    sums,
  };
  return [
    inverter,
    ...batteries.map(
      (battery): DeyeUnitPlan => ({
        kind: 'batteries',
        model: null,
        rows: bindAll(battery, opened),
        settings: [],
        sums: NOTHING,
      }),
    ),
  ];
}

/** Everything that a unit of this plan can report, in the order in which it is listed. */
export function quantitiesOf({ rows, settings, sums }: DeyeUnitPlan): readonly Quantity[] {
  return [
    ...rows.map(({ quantity }) => quantity),
    ...(sums.pv.length > 0 ? [PV] : []),
    ...(sums.batteries.length > 0 ? [BATTERY] : []),
    ...(sums.load === undefined ? [] : [LOAD]),
    ...(sums.nonEssential === undefined ? [] : [NON_ESSENTIAL]),
    ...settings.map(({ quantity }) => quantity),
  ];
}

/** Every row that a plan for this inverter may need. */
export function possibleRows(identity: DeyeIdentity): readonly DeyeRegisterRow[] {
  const three = isThreePhase(identity.profile);
  return [
    ...measuredRows(identity.profile),
    ...(three ? [...ONE_BATTERY, ...TWO_BATTERIES.flat()] : []),
    ...settingsFor(identity.profile, identity.ratedW),
  ];
}

/** An inverter that does not report its PV inputs has the two that all have, and more where registers are filled. */
function isFitted(
  { needs, registers: [register = 0] }: DeyeRegisterRow,
  identity: DeyeIdentity,
  opened: RegisterValues,
): boolean {
  if (needs === undefined) return true;
  const { strings = 0, phases } = needs;
  if (phases !== undefined) return phases === (identity.phases === 2 ? 2 : 1);
  if (identity.strings !== null) return strings <= identity.strings;
  return strings <= 2 || (isThreePhase(identity.profile) && opened.get(register) !== 0xffff);
}

/** The rows that the frame holds; a row may lack its high word. */
function bindAll(rows: readonly DeyeRegisterRow[], opened: RegisterValues): readonly DeyeRegisterRow[] {
  return rows.flatMap((row) => {
    const missing = row.registers.filter((register) => !opened.has(register));
    if (missing.length === 0) return [row];
    const [low = -1, high] = row.registers;
    const lowOnly = row.type === 's16 extended' && missing.length === 1 && missing[0] === high;
    return lowOnly ? [{ ...row, registers: [low] }] : [];
  });
}

function withMeterAtTheGrid(rows: readonly DeyeRegisterRow[]): readonly DeyeRegisterRow[] {
  const ct = rows.find(({ quantity }) => quantity.name === GRID_CT);
  if (ct === undefined) return rows;
  return rows.flatMap((row) =>
    row.quantity.name === GRID.name
      ? [
          { ...ct, quantity: GRID },
          { ...row, quantity: GRID_PORT },
        ]
      : [row],
  );
}

/** The row whose options hold its current value too, in ascending order. */
function withSortedOptions(row: DeyeRegisterRow, value: MetricValue | undefined): DeyeRegisterRow {
  const quantity = withCurrentOption(row.quantity, value);
  const { setting } = quantity;
  if (quantity === row.quantity || setting?.kind !== 'select') return row;
  return { ...row, quantity: { ...quantity, setting: { ...setting, options: setting.options.toSorted() } } };
}

/** State of charge and voltage of each battery input. */
const INPUTS = [
  { stateOfCharge: 588, voltage: 587 },
  { stateOfCharge: 589, voltage: 593 },
] as const;
const SECOND = 1;

/** Voltages that a battery can have, in the register's counts: 38 to 65 V in hundredths, 100 to 1000 V in tenths. */
const PLAUSIBLE = { low: [3_800, 6_500], high: [1_000, 10_000] } as const;

/**
 * Whether a battery is connected to the second input. Inverters without one leave its registers empty; other
 * contents are excluded by the range of a battery's voltage.
 */
export function hasTwoBatteries(profile: Profile, frame: RegisterValues): boolean {
  return hasBattery(profile, frame, SECOND);
}

/**
 * Whether the battery of an inverter with two was taken off, by the frame of one poll.
 *
 * @param input index of the battery input; the first has a battery unless its voltage is 0, since its charge may be unknown
 */
export function isTakenOff(profile: Profile, frame: RegisterValues, input: number): boolean {
  const { stateOfCharge, voltage } = INPUTS[input] ?? INPUTS[SECOND];
  if (!frame.has(stateOfCharge) || !frame.has(voltage)) return false;
  return input === SECOND ? !hasBattery(profile, frame, input) : frame.get(voltage) === 0;
}

function hasBattery(profile: Profile, frame: RegisterValues, input: 0 | 1): boolean {
  const { stateOfCharge, voltage } = INPUTS[input];
  const [least, most] = profile === 'three-phase HV' ? PLAUSIBLE.high : PLAUSIBLE.low;
  const percent = frame.get(stateOfCharge) ?? 0xffff;
  const counts = frame.get(voltage) ?? 0;
  return percent <= 100 && counts >= least && counts <= most;
}

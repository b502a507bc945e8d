import type { RegisterValues } from '../registers.ts';
import { type BoundModel, groupsIn, numberIn, type PointFields, pointIn } from './bound-model.ts';
import { CHARGING, DISCHARGING } from './models/symbols.ts';
import type { Roles } from './roles.ts';

/** Watts now: null is unknown, undefined was not read. */
export type PowerReader = (frame: RegisterValues) => number | null | undefined;

/**
 * Fronius GEN24 hybrids show the battery's two directions as modules of model 160, "StCha 3" and "StDisCha 4".
 * Source: https://github.com/evcc-io/evcc/issues/2626
 */
const CHARGER = /^StCha\b/;
const DISCHARGER = /^StDisCha\b/;

const PORT_TYPE_PV = 0;
const PORT_TYPE_STORAGE = 1;

export function isPvModule(module: PointFields, frame: RegisterValues): boolean {
  const name = nameOf(module, frame);
  return !CHARGER.test(name) && !DISCHARGER.test(name);
}

export function isPvPort(port: PointFields, frame: RegisterValues): boolean {
  return pointIn(port, 'PrtTyp', frame) === PORT_TYPE_PV;
}

/**
 * The source of the PV power: the strings of model 160, else the PV ports of model 714, else the inverter's DC
 * power, else its AC power, which is less by the inverter's losses and never counted below zero.
 *
 * @param opened the frame at opening time: the choice is made once
 */
export function pvPower(roles: Roles, opened: RegisterValues): PowerReader | undefined {
  const [mppt, dcPorts, inverter] = [roles.mppt?.model, roles.dcPorts?.model, roles.inverter?.model];
  const has = (model: BoundModel, isPv: typeof isPvPort): boolean =>
    groupsIn(model, opened).some((group) => isPv(group, opened));
  if (mppt && typeof numberIn(mppt.points, 'DCW_SF', opened) === 'number' && has(mppt, isPvModule)) {
    return (frame) => sumOfGroups(mppt, isPvModule, frame);
  }
  if (dcPorts && has(dcPorts, isPvPort)) return (frame) => sumOfGroups(dcPorts, isPvPort, frame);
  if (!inverter) return undefined;
  const { points } = inverter;
  if (typeof numberIn(points, 'DCW', opened) === 'number') return (frame) => numberIn(points, 'DCW', frame);
  return (frame) => {
    const watts = numberIn(points, 'W', frame);
    return typeof watts === 'number' ? Math.max(0, watts) : watts;
  };
}

/**
 * Power into the battery: charger minus discharger of model 160, else the batteries of model 802. Where there
 * is a battery and neither, it is unknown. Undefined without a battery.
 */
export function batteryPower(
  roles: Roles,
  opened: RegisterValues,
  batteries: readonly PowerReader[],
): PowerReader | undefined {
  const [mppt, dcPorts, storage] = [roles.mppt?.model, roles.dcPorts?.model, roles.storage?.model];
  if (mppt && groupsIn(mppt, opened).some((module) => !isPvModule(module, opened))) {
    return (frame) => chargerPower(groupsIn(mppt, frame), frame);
  }
  if (batteries.length > 0) return (frame) => sumKnown(batteries.map((read) => read(frame)));
  const ports = dcPorts === undefined ? [] : groupsIn(dcPorts, opened);
  const hasBattery =
    roles.derStorage !== undefined ||
    (storage !== undefined && typeof numberIn(storage.points, 'ChaState', opened) === 'number') ||
    ports.some((port) => pointIn(port, 'PrtTyp', opened) === PORT_TYPE_STORAGE);
  return hasBattery ? () => null : undefined;
}

/**
 * Power into a battery of model 802, whose `W` has no agreed sign: `ChaSt` determines
 * the direction while it is charging or discharging, and the sign seen then applies in all other states.
 */
export function signedBatteryPower({ points }: BoundModel): PowerReader {
  let chargingSign: 1 | -1 | undefined;
  return (frame) => {
    const watts = numberIn(points, 'W', frame);
    if (typeof watts !== 'number' || watts === 0) return watts;
    const chargeState = numberIn(points, 'ChaSt', frame);
    const sign = watts > 0 ? 1 : -1;
    if (chargeState === CHARGING) chargingSign = sign;
    if (chargeState === DISCHARGING) chargingSign = sign === 1 ? -1 : 1;
    return chargingSign === undefined ? null : watts * chargingSign;
  };
}

/** The battery's current with the sign of its power. */
export function signedBatteryCurrent({ points }: BoundModel, power: PowerReader): PowerReader {
  return (frame) => {
    const amperes = numberIn(points, 'A', frame);
    const watts = power(frame);
    if (typeof amperes !== 'number' || typeof watts !== 'number')
      return amperes === undefined ? undefined : null;
    return Math.sign(watts) * Math.abs(amperes);
  };
}

function chargerPower(modules: readonly PointFields[], frame: RegisterValues): number | null | undefined {
  const watts = (name: RegExp) => {
    const module = modules.find((one) => name.test(nameOf(one, frame)));
    return module === undefined ? null : numberIn(module, 'DCW', frame);
  };
  if (modules.every((module) => numberIn(module, 'DCW', frame) === undefined)) return undefined;
  const charging = watts(CHARGER);
  const discharging = watts(DISCHARGER);
  if (typeof charging === 'number' && typeof discharging === 'number') return charging - discharging;
  // Both are the one converter of the battery: while power flows one way, none flows the other.
  if (typeof charging === 'number' && charging > 0) return charging;
  return typeof discharging === 'number' && discharging > 0 ? -discharging : null;
}

function nameOf(module: PointFields, frame: RegisterValues): string {
  return String(pointIn(module, 'IDStr', frame) ?? '');
}

/** Strings that sleep report nothing; the sum of nothing is unknown. */
function sumOfGroups(
  model: BoundModel,
  isPv: (group: PointFields, frame: RegisterValues) => boolean,
  frame: RegisterValues,
): number | null | undefined {
  const watts = groupsIn(model, frame)
    .filter((group) => isPv(group, frame))
    .map((group) => numberIn(group, 'DCW', frame));
  if (watts.includes(undefined)) return undefined;
  const known = watts.filter((value) => typeof value === 'number');
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function sumKnown(parts: readonly (number | null | undefined)[]): number | null | undefined {
  const known = parts.filter((part) => typeof part === 'number');
  if (known.length === parts.length) return known.reduce((sum, value) => sum + value, 0);
  return parts.includes(undefined) ? undefined : null;
}

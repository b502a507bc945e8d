import type { ModelHeader } from './chain.ts';
import type { Values } from './codec.ts';
import type { ModelFrame } from './model-reader.ts';
import { CHARGING, DISCHARGING } from './models/symbols.ts';
import type { Roles } from './roles.ts';

/** Watts now: null is unknown, undefined was not read. */
export type PowerReader = (frame: ModelFrame) => number | null | undefined;

/**
 * Fronius GEN24 hybrids show the battery's two directions as modules of model 160, "StCha 3" and "StDisCha 4".
 * Source: https://github.com/evcc-io/evcc/issues/2626
 */
const CHARGER = /^StCha\b/;
const DISCHARGER = /^StDisCha\b/;

const PORT_TYPE_PV = 0;
const PORT_TYPE_STORAGE = 1;

export function isPvModule(module: Values): boolean {
  const name = String(module.IDStr ?? '');
  return !CHARGER.test(name) && !DISCHARGER.test(name);
}

export function isPvPort(port: Values): boolean {
  return port.PrtTyp === PORT_TYPE_PV;
}

/**
 * The source of the PV power: the strings of model 160, else the PV ports of model 714, else the inverter's DC
 * power, else its AC power, which is less by the inverter's losses and never counted below zero.
 *
 * @param opened the frame at opening time: the choice is made once
 */
export function pvPower(roles: Roles, opened: ModelFrame): PowerReader | undefined {
  const { mppt, dcPorts, inverter } = roles;
  if (
    mppt &&
    opened.get(mppt.header)?.points.DCW_SF != null &&
    groups(opened, mppt.header).some(isPvModule)
  ) {
    return (frame) => sumOfGroups(frame, mppt.header, isPvModule);
  }
  if (dcPorts && groups(opened, dcPorts.header).some(isPvPort)) {
    return (frame) => sumOfGroups(frame, dcPorts.header, isPvPort);
  }
  if (!inverter) return undefined;
  if (typeof point(opened, inverter.header, 'DCW') === 'number') {
    return (frame) => point(frame, inverter.header, 'DCW');
  }
  return (frame) => {
    const watts = point(frame, inverter.header, 'W');
    return typeof watts === 'number' ? Math.max(0, watts) : watts;
  };
}

/**
 * Power into the battery: charger minus discharger of model 160, else the batteries of model 802. Where there
 * is a battery and neither, it is unknown. Undefined without a battery.
 */
export function batteryPower(
  roles: Roles,
  opened: ModelFrame,
  batteries: readonly PowerReader[],
): PowerReader | undefined {
  const { mppt, dcPorts, storage, derStorage } = roles;
  const modules = mppt === undefined ? [] : groups(opened, mppt.header);
  if (mppt && modules.some((module) => !isPvModule(module))) {
    return (frame) => (frame.has(mppt.header) ? chargerPower(groups(frame, mppt.header)) : undefined);
  }
  if (batteries.length > 0) return (frame) => sumKnown(batteries.map((read) => read(frame)));
  const ports = dcPorts === undefined ? [] : groups(opened, dcPorts.header);
  const hasBattery =
    derStorage !== undefined ||
    (storage !== undefined && typeof point(opened, storage.header, 'ChaState') === 'number') ||
    ports.some((port) => port.PrtTyp === PORT_TYPE_STORAGE);
  return hasBattery ? () => null : undefined;
}

/**
 * Power into a battery of model 802, whose `W` has no agreed sign: `ChaSt` determines
 * the direction while it is charging or discharging, and the sign seen then applies in all other states.
 */
export function signedBatteryPower(header: ModelHeader): PowerReader {
  let chargingSign: 1 | -1 | undefined;
  return (frame) => {
    const watts = point(frame, header, 'W');
    if (typeof watts !== 'number' || watts === 0) return watts;
    const chargeState = point(frame, header, 'ChaSt');
    const sign = watts > 0 ? 1 : -1;
    if (chargeState === CHARGING) chargingSign = sign;
    if (chargeState === DISCHARGING) chargingSign = sign === 1 ? -1 : 1;
    return chargingSign === undefined ? null : watts * chargingSign;
  };
}

/** The battery's current with the sign of its power. */
export function signedBatteryCurrent(header: ModelHeader, power: PowerReader): PowerReader {
  return (frame) => {
    const amperes = point(frame, header, 'A');
    const watts = power(frame);
    if (typeof amperes !== 'number' || typeof watts !== 'number')
      return amperes === undefined ? undefined : null;
    return Math.sign(watts) * Math.abs(amperes);
  };
}

function chargerPower(modules: readonly Values[]): number | null {
  const watts = (name: RegExp) => modules.find((module) => name.test(String(module.IDStr ?? '')))?.DCW;
  const charging = watts(CHARGER);
  const discharging = watts(DISCHARGER);
  if (typeof charging === 'number' && typeof discharging === 'number') return charging - discharging;
  // Both are the one converter of the battery: while power flows one way, none flows the other.
  if (typeof charging === 'number' && charging > 0) return charging;
  return typeof discharging === 'number' && discharging > 0 ? -discharging : null;
}

/** Strings that sleep report nothing; the sum of nothing is unknown. */
function sumOfGroups(
  frame: ModelFrame,
  header: ModelHeader,
  counts: (group: Values) => boolean,
): number | null | undefined {
  if (!frame.has(header)) return undefined;
  const watts = groups(frame, header)
    .filter(counts)
    .map((group) => group.DCW)
    .filter((value) => typeof value === 'number');
  return watts.length === 0 ? null : watts.reduce((sum, value) => sum + value, 0);
}

function sumKnown(parts: readonly (number | null | undefined)[]): number | null | undefined {
  const known = parts.filter((part) => typeof part === 'number');
  if (known.length === parts.length) return known.reduce((sum, value) => sum + value, 0);
  return parts.includes(undefined) ? undefined : null;
}

function groups(frame: ModelFrame, header: ModelHeader): readonly Values[] {
  return frame.get(header)?.groups ?? [];
}

function point(frame: ModelFrame, header: ModelHeader, name: string): number | null | undefined {
  const model = frame.get(header);
  if (model === undefined) return undefined;
  const value = model.points[name];
  return typeof value === 'number' ? value : null;
}

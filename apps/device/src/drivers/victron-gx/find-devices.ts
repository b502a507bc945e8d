import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import { extentOf, spansOf } from '../modbus/blocks.ts';
import { readRow } from '../modbus/codec.ts';
import { readSpans } from '../modbus/register-reader.ts';
import type { RegisterValues } from '../registers.ts';
import { isDevicePresent, type ServiceAddress } from './absence.ts';
import { BATTERY_CHARGE, BATTERY_VOLTAGE } from './device-maps.ts';
import type { GxDevices } from './gx-reader.ts';
import type { GxOptions } from './options.ts';
import { type DeviceService, USUAL_UNIT_IDS } from './services.ts';
import { SERIAL_NUMBER, SYSTEM_BATTERY } from './system-map.ts';

/** The devices that were found when a GX was opened. */
export interface FoundGxDevices {
  readonly devices: GxDevices;
  /** Addresses without an answer, where a device may appear later. */
  readonly vacant: readonly ServiceAddress[];
}

/** The unit ids of one service. */
interface KnownDevices {
  readonly answered: readonly number[];
  /** Those of them that are read. */
  readonly selected: readonly number[];
}

/**
 * The devices found on a connection, by GX and service. While a GX starts, its devices appear one after the other: a
 * device that was present before is late, not gone.
 */
const KNOWN_DEVICES = new WeakMap<ModbusBus, Map<string, KnownDevices>>();

/**
 * Finds the devices behind a GX: those that the configuration names, and otherwise those that answer at the usual unit
 * ids. Any answer makes a device present.
 *
 * @param system the registers of the GX itself
 * @throws LinkDown unless every request was answered
 */
export async function findDevices(
  bus: ModbusBus,
  options: GxOptions,
  system: RegisterValues,
): Promise<FoundGxDevices> {
  const vacant: ServiceAddress[] = [];
  const find = async (service: DeviceService, named: readonly number[] | undefined) => {
    if (named !== undefined) return named;
    const { answered, selected } = await search(bus, service, system);
    for (const unitId of USUAL_UNIT_IDS[service])
      if (!answered.includes(unitId)) vacant.push({ service, unitId });
    return selected;
  };
  const [vebus] = await find('vebus', options.vebus === undefined ? undefined : [options.vebus]);
  const [gridMeter] = await find('grid', options.gridMeter === undefined ? undefined : [options.gridMeter]);
  const batteries = await find('battery', options.batteries);
  const solarChargers = await find('solarcharger', options.solarChargers);
  return { devices: { vebus, gridMeter, batteries, solarChargers }, vacant };
}

async function search(bus: ModbusBus, service: DeviceService, system: RegisterValues): Promise<KnownDevices> {
  const answered: number[] = [];
  for (const unitId of USUAL_UNIT_IDS[service])
    if (await isDevicePresent(bus, { service, unitId })) answered.push(unitId);

  const known = KNOWN_DEVICES.get(bus) ?? new Map<string, KnownDevices>();
  KNOWN_DEVICES.set(bus, known);
  const key = `${readRow(SERIAL_NUMBER, system)} ${service}`;
  const before = known.get(key);
  // A device at a new unit id may be the one that is missing at another.
  if (before !== undefined && answered.every((unitId) => before.answered.includes(unitId))) return before;

  const now: KnownDevices = { answered, selected: await selectDevices(service, answered, bus, system) };
  // A GX that does not know its battery may be starting, and cannot say which battery is meant.
  if (typeof readRow(SYSTEM_BATTERY.voltage, system) === 'number') known.set(key, now);
  return now;
}

async function selectDevices(
  service: DeviceService,
  answered: readonly number[],
  bus: ModbusBus,
  system: RegisterValues,
): Promise<readonly number[]> {
  if (service === 'solarcharger') return answered;
  return service === 'battery' ? nearestBattery(bus, answered, system) : answered.slice(0, 1);
}

/**
 * A monitor and a battery's own management often measure the same battery, or a monitor the one that starts an
 * engine. The GX counts one of them, and so does this: the one whose values are those of the system.
 */
async function nearestBattery(
  bus: ModbusBus,
  unitIds: readonly number[],
  system: RegisterValues,
): Promise<readonly number[]> {
  if (unitIds.length < 2) return unitIds;
  const distances: number[] = [];
  for (const unitId of unitIds) distances.push(await distanceFrom(system, bus, unitId));
  const nearest = distances.indexOf(Math.min(...distances));
  return unitIds.slice(nearest, nearest + 1);
}

/** The distance of a battery service from the system's values, as parts of the voltage and of the charge. */
async function distanceFrom(system: RegisterValues, bus: ModbusBus, unitId: number): Promise<number> {
  const frame = await readSpans(bus, unitId, [extentOf(spansOf([BATTERY_VOLTAGE, BATTERY_CHARGE]))]);
  const [volts, systemVolts] = [readRow(BATTERY_VOLTAGE, frame), readRow(SYSTEM_BATTERY.voltage, system)];
  const [charge, systemCharge] = [
    readRow(BATTERY_CHARGE, frame),
    readRow(SYSTEM_BATTERY.stateOfCharge, system),
  ];
  if (typeof volts !== 'number' || typeof systemVolts !== 'number') return Number.MAX_VALUE;
  return Math.abs(volts - systemVolts) / systemVolts + Math.abs(Number(charge) - Number(systemCharge)) / 100;
}

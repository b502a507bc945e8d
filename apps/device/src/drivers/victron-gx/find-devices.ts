import type { ModbusBus } from '../../bus/modbus-bus.ts';
import { BATTERY_CHARGE, BATTERY_VOLTAGE } from './battery-map.ts';
import { type Frame, readRow } from './codec.ts';
import type { Devices } from './frames.ts';
import type { GxOptions } from './options.ts';
import { expectNoSuchRegisters, saysAbsent } from './refusals.ts';
import { ASKED_REGISTER, type DeviceService, USUAL_UNIT_IDS } from './services.ts';
import { SYSTEM_BATTERY } from './system-map.ts';

/**
 * Finds the devices that a GX tells of: those that the configuration names, and otherwise those that answer at the
 * usual unit ids. That one answers makes it present, whatever it says.
 *
 * @param system the registers of the GX itself
 * @throws LinkDown unless every request was answered
 */
export async function findDevices(bus: ModbusBus, options: GxOptions, system: Frame): Promise<Devices> {
  const found = async (service: DeviceService): Promise<readonly number[]> => {
    const unitIds: number[] = [];
    for (const unitId of USUAL_UNIT_IDS[service])
      if (await isThere(bus, service, unitId)) unitIds.push(unitId);
    return unitIds;
  };
  return {
    vebus: options.vebus ?? (await found('vebus'))[0],
    gridMeter: options.gridMeter ?? (await found('grid'))[0],
    batteries: options.batteries ?? (await oneOf(bus, await found('battery'), system)),
    solarChargers: options.solarChargers ?? (await found('solarcharger')),
  };
}

async function isThere(bus: ModbusBus, service: DeviceService, unitId: number): Promise<boolean> {
  try {
    await bus.read(unitId, ASKED_REGISTER[service], 1);
    return true;
  } catch (error) {
    if (!saysAbsent(error)) expectNoSuchRegisters(error);
    return false;
  }
}

/**
 * A monitor and a battery's own management often measure the same battery, or a monitor the one that starts an
 * engine. The GX counts one of them, and so does this: the one that says what the system says.
 */
async function oneOf(bus: ModbusBus, unitIds: readonly number[], system: Frame): Promise<readonly number[]> {
  if (unitIds.length < 2) return unitIds;
  const distances: number[] = [];
  for (const unitId of unitIds) distances.push(await distanceFrom(system, bus, unitId));
  const nearest = distances.indexOf(Math.min(...distances));
  return unitIds.slice(nearest, nearest + 1);
}

/** How far a battery service is from what the system says, as parts of the voltage and of the charge. */
async function distanceFrom(system: Frame, bus: ModbusBus, unitId: number): Promise<number> {
  const { register } = BATTERY_VOLTAGE;
  const words = await bus.read(unitId, register, BATTERY_CHARGE.register - register + 1);
  const frame: Frame = new Map(words.map((word, index) => [register + index, word]));
  const [volts, systemVolts] = [readRow(BATTERY_VOLTAGE, frame), readRow(SYSTEM_BATTERY.voltage, system)];
  const [charge, systemCharge] = [
    readRow(BATTERY_CHARGE, frame),
    readRow(SYSTEM_BATTERY.stateOfCharge, system),
  ];
  if (typeof volts !== 'number' || typeof systemVolts !== 'number') return Number.MAX_VALUE;
  return Math.abs(volts - systemVolts) / systemVolts + Math.abs(Number(charge) - Number(systemCharge)) / 100;
}

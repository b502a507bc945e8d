import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import { readRow } from '../modbus/codec.ts';
import { readSpans } from '../modbus/register-reader.ts';
import type { RegisterValues } from '../registers.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { AbsentDeviceProbe, isAbsentError } from './absence.ts';
import { decodeRecording } from './decode-recording.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { findDevices } from './find-devices.ts';
import { GxReader } from './gx-reader.ts';
import { GxHardware } from './hardware.ts';
import { gxOptions, OPTIONS } from './options.ts';
import { GX_UNIT_ID } from './services.ts';
import { SERIAL_NUMBER } from './system-map.ts';

/** The serial number of a GX is the address of its network port. */
const SERIAL = /^[0-9a-f]{12}$/i;

/** From the serial number to the active input, and from the battery's voltage to its state. */
const IDENTITY = { address: 800, count: 27 } as const;
const BATTERY = { address: 840, count: 5 } as const;

/** GX devices of Victron over Modbus: the system and the devices behind them. */
export const victronGx: ModbusFamily = {
  name: 'victron-gx',
  title: 'Victron GX (Cerbo, CCGX, Venus OS)',
  speaks: 'modbus',
  kinds: ['inverters'],
  usualUnit: GX_UNIT_ID,
  line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
  options: OPTIONS,
  describedUnits: DESCRIBED_UNITS,
  protocols: ['victron_gx_modbus_tcp'],
  decode: decodeRecording,
  open: (bus, target, _clock, readBackTime) => openGx(bus, target, readBackTime),
};

export async function openGx(
  bus: ModbusBus,
  { unit: unitId = GX_UNIT_ID, options }: Target,
  readBackTime?: ReadBackTime,
): Promise<Hardware> {
  const system = await recognise(bus, unitId);
  const { devices, vacant } = await findDevices(bus, gxOptions(options), system);
  const reader = new GxReader(bus, unitId, devices);
  const absentDeviceProbe = new AbsentDeviceProbe(bus, vacant);
  const frames = await reader.explore();
  return new GxHardware(bus, unitId, { reader, absentDeviceProbe, devices, frames, readBackTime });
}

/** @throws NotRecognised unless the unit has the system of a GX, with its serial number */
async function recognise(bus: ModbusBus, unitId: number): Promise<RegisterValues> {
  const frame = await readSystem(bus, unitId);
  const serialNumber = readRow(SERIAL_NUMBER, frame);
  if (typeof serialNumber === 'string' && SERIAL.test(serialNumber)) return frame;
  throw new NotRecognised(`unit ${unitId} has no serial number where a GX has its`);
}

async function readSystem(bus: ModbusBus, unitId: number): Promise<RegisterValues> {
  try {
    return await readSpans(bus, unitId, [IDENTITY, BATTERY]);
  } catch (error) {
    if (!(error instanceof ModbusException) && !isAbsentError(error)) throw error;
    throw new NotRecognised(`unit ${unitId} does not tell of the system of a GX`, { cause: error });
  }
}

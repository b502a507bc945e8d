import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import { type DecodedUnit, type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import { readRow } from '../modbus/codec.ts';
import { type RecordingRules, recordedBlocks, registersInBlocks } from '../modbus/recorded-registers.ts';
import { readSpans } from '../modbus/register-reader.ts';
import type { Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { AbsentDeviceProbe, isAbsentError } from './absence.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { findDevices } from './find-devices.ts';
import { type GxDevices, type GxFrames, GxReader } from './gx-reader.ts';
import { GxHardware } from './hardware.ts';
import { gxOptions, OPTIONS } from './options.ts';
import { GX_UNIT_ID, RANGES, type Service } from './services.ts';
import { SERIAL_NUMBER } from './system-map.ts';
import { GxUnits } from './units.ts';

const RULES: RecordingRules = { framing: 'tcp', oneTable: true, hardware: 'the GX' };

/** Registers by unit id. */
type Units = ReadonlyMap<number, RegisterValues>;

/**
 * Decodes a recording of a GX with the maps of live polling. The addresses of the registers identify the services,
 * because no two services share any.
 *
 * @throws BadRecording when a frame must be rejected, or the registers have no address
 */
function decodeRecording(recording: Recording): readonly DecodedUnit[] {
  const units = recordedUnits(recording);
  const devices: GxDevices = {
    vebus: unitIdsWith(units, 'vebus')[0],
    gridMeter: unitIdsWith(units, 'grid')[0],
    batteries: unitIdsWith(units, 'battery'),
    solarChargers: unitIdsWith(units, 'solarcharger'),
  };
  const frames: GxFrames = {
    system: units.get(unitIdsWith(units, 'system')[0] ?? -1),
    settings: units.get(unitIdsWith(units, 'settings')[0] ?? -1),
    vebus: units.get(devices.vebus ?? -1),
    grid: units.get(devices.gridMeter ?? -1),
    batteries: devices.batteries.map((unitId) => units.get(unitId)),
    solarChargers: devices.solarChargers.map((unitId) => units.get(unitId)),
  };
  const gx = new GxUnits(devices, frames);
  const readings = gx.readings(frames);
  return gx.units.flatMap(({ kind, model, quantities }, index) => {
    const reading = readings[index];
    return reading === undefined || quantities.length === 0 ? [] : [{ kind, model, quantities, reading }];
  });
}

function unitIdsWith(units: Units, service: Service): readonly number[] {
  const isIn = (register: number): boolean =>
    RANGES[service].some(([first, last]) => register >= first && register <= last);
  return [...units].filter(([, frame]) => [...frame.keys()].some(isIn)).map(([unitId]) => unitId);
}

/** Registers that were logged without their frames are those of a GX with all its devices. */
function recordedUnits(recording: Recording): Units {
  const blocks = Map.groupBy(recordedBlocks(recording, RULES), ({ unitId = GX_UNIT_ID }) => unitId);
  return new Map([...blocks].map(([unitId, own]) => [unitId, registersInBlocks(own)]));
}

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

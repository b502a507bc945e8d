import { Type } from 'typebox';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import { type ReadLimits, spansOf } from '../modbus/blocks.ts';
import { RegisterReader, readSpans } from '../modbus/register-reader.ts';
import type { RegisterValues } from '../registers.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { decodeRecording } from './decode-recording.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { DEVICE_TYPE_REGISTER, deviceType } from './device-types.ts';
import { DeyeHardware } from './hardware.ts';
import { IDENTITY, identityOf } from './identity.ts';
import { type GridMeter, planUnits, possibleRows } from './unit-plan.ts';

const DEFAULT_UNIT_ID = 1;

/**
 * Sources name 100 to 110 registers at once. Reading 24 unneeded ones takes about as long as another request: 50 ms at
 * 9600 baud.
 */
export const LIMITS: ReadLimits = { maxRead: 100, maxGap: 24 };

const OPTIONS = Type.Object(
  {
    grid_meter: Type.Optional(
      Type.Union([Type.Literal('inverter'), Type.Literal('ct')], {
        description: "where grid power is measured: at the inverter's port, or by the clamp at the meter",
      }),
    ),
  },
  { additionalProperties: false },
);

/** Deye hybrid inverters, also sold as SunSynk and Sol-Ark. */
export const deye: ModbusFamily = {
  name: 'deye',
  title: 'Deye, SunSynk, Sol-Ark',
  speaks: 'modbus',
  kinds: ['inverters'],
  usualUnit: DEFAULT_UNIT_ID,
  line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
  options: OPTIONS,
  // A second and third inverter on one line: 1 is what it is shipped with, and the display can set it up to 16.
  probe: { units: [2, 3] },
  describedUnits: DESCRIBED_UNITS,
  protocols: ['deye'],
  decode: decodeRecording,
  open: (bus, target, _clock, readBackTime) => openDeye(bus, target, readBackTime),
};

export async function openDeye(
  bus: ModbusBus,
  { unit: unitId = DEFAULT_UNIT_ID, options }: Target,
  readBackTime?: ReadBackTime,
): Promise<Hardware> {
  const identity = await recognise(bus, unitId);
  const reader = new RegisterReader(bus, unitId, spansOf(possibleRows(identity)), LIMITS);
  const opened = await reader.explore();
  const gridMeter: GridMeter = options.grid_meter === 'ct' ? 'ct' : 'inverter';
  const plans = planUnits(identity, opened, gridMeter);
  return new DeyeHardware(bus, unitId, { reader, identity, plans, opened, readBackTime });
}

/** @throws NotRecognised unless device type and serial number are those of such an inverter */
async function recognise(bus: ModbusBus, unitId: number) {
  const frame = await readIdentity(bus, unitId);
  const code = frame.get(DEVICE_TYPE_REGISTER) ?? 0;
  const type = deviceType(code);
  if (type === undefined) {
    throw new NotRecognised(`unit ${unitId}: ${code} in register 0 is no device type of Deye`);
  }
  if (type.profile === undefined) {
    throw new NotRecognised(
      `unit ${unitId} is of another driver, ${type.driver}: it says that it is a ${type.name.toLowerCase()}`,
    );
  }
  const identity = identityOf(type.profile, frame);
  if (identity.serialNumber === null) {
    throw new NotRecognised(`unit ${unitId} has no serial number where Deye inverters have theirs`);
  }
  return identity;
}

async function readIdentity(bus: ModbusBus, unitId: number): Promise<RegisterValues> {
  const { address, count } = IDENTITY;
  try {
    return await readSpans(bus, unitId, [IDENTITY]);
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error;
    throw new NotRecognised(`unit ${unitId} has no registers ${address} to ${count - 1}: ${error.message}`, {
      cause: error,
    });
  }
}

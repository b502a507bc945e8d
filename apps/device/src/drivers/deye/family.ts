import { Type } from 'typebox';
import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import type { DescribedQuantity, DescribedUnit } from '../described-unit.ts';
import { type DecodedUnit, type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import { type ReadLimits, spansOf } from '../modbus/blocks.ts';
import { recordedRegisters } from '../modbus/recorded-registers.ts';
import { RegisterReader, readSpans } from '../modbus/register-reader.ts';
import { readClock } from '../modbus/texts.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { DEVICE_TYPE_REGISTER, deviceType } from './device-types.ts';
import { DeyeHardware } from './hardware.ts';
import { IDENTITY, identityOf, measuredRows } from './identity.ts';
import { readingOf } from './reading.ts';
import { type DeyeRegisterRow, type Needs, PROFILES, type Profile } from './row.ts';
import { settingsFor } from './settings.ts';
import { ONE_BATTERY, TWO_BATTERIES } from './three-phase.ts';
import {
  type GridMeter,
  LOAD,
  NON_ESSENTIAL,
  PV,
  planUnits,
  possibleRows,
  quantitiesOf,
} from './unit-plan.ts';

const [FIRST_BATTERY, SECOND_BATTERY] = TWO_BATTERIES;

const derived = (three: boolean): readonly DescribedQuantity[] => [
  { quantity: PV, from: 'worked out', remark: 'sum of the PV inputs' },
  { quantity: LOAD, from: 'worked out', remark: 'PV power + Grid power - Battery power' },
  ...(three
    ? []
    : [
        {
          quantity: NON_ESSENTIAL,
          from: 'worked out',
          remark: 'with `grid_meter: ct`: what is used between the meter and the inverter',
        },
      ]),
];

/** Everything that there can be, for the tables of `README.md`. */
export const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Single-phase and split-phase inverter',
    rows: [
      ...rowsOf('single-phase', measuredRows('single-phase')),
      ...derived(false),
      ...settingRows('single-phase'),
    ],
  },
  {
    title: 'Three-phase inverter',
    rows: [
      ...rowsOf('three-phase LV', [...measuredRows('three-phase LV'), ...ONE_BATTERY]),
      ...derived(true),
      ...settingRows('three-phase LV'),
    ],
  },
  {
    title: 'Battery 1 of an inverter with two battery inputs',
    rows: rowsOf('three-phase LV', FIRST_BATTERY),
  },
  {
    title: 'Battery 2 of an inverter with two battery inputs',
    rows: rowsOf('three-phase LV', SECOND_BATTERY),
  },
];

function settingRows(profile: Profile): readonly DescribedQuantity[] {
  return rowsOf(profile, settingsFor(profile, null));
}

function rowsOf(profile: Profile, rows: readonly DeyeRegisterRow[]): readonly DescribedQuantity[] {
  return rows.map((row) => {
    const remarks = [needsOf(row.needs), maskOf(row), notOnHighVoltage(profile, row), coarser(row)].filter(
      (remark) => remark !== undefined,
    );
    return {
      quantity: row.quantity,
      from: row.registers.join(', '),
      ...(remarks.length === 0 ? {} : { remark: remarks.join('; ') }),
    };
  });
}

function needsOf(needs: Needs | undefined): string | undefined {
  if (needs?.phases !== undefined) return needs.phases === 2 ? 'split phase' : 'not on split phase';
  const { strings = 0 } = needs ?? {};
  return strings > 2 ? `with ${strings} or more PV inputs` : undefined;
}

function maskOf(row: DeyeRegisterRow): string | undefined {
  const mask = row.type === 'code' || row.type === 'switch' ? row.mask : undefined;
  return mask === undefined ? undefined : `bits 0x${mask.toString(16)}`;
}

function notOnHighVoltage(profile: Profile, { quantity }: DeyeRegisterRow): string | undefined {
  const known = settingsFor('three-phase HV', null).some(({ quantity: { name } }) => name === quantity.name);
  if (profile !== 'three-phase LV' || quantity.setting === undefined || known) return undefined;
  return 'not on HV';
}

function coarser(row: DeyeRegisterRow): string | undefined {
  const scales = 'scales' in row ? Object.entries(row.scales ?? {}) : [];
  return scales.length === 0
    ? undefined
    : scales.map(([profile, scale]) => `${profile}: ${scale} a count`).join('; ');
}

/** Only three-phase inverters have registers from here on that are read here. */
const THREE_PHASE_ONLY = 500;

/** The clock of three-phase inverters; single-phase ones have no date in these registers. */
const THREE_PHASE_CLOCK = [62, 63, 64] as const;

/**
 * Decodes what was recorded of an inverter, with the maps that live inverters are read by.
 *
 * @throws BadRecording when a frame must be rejected, or it is of another kind of inverter
 */
function decodeRecording(recording: Recording): readonly DecodedUnit[] {
  const frame: RegisterValues = recordedRegisters(recording);
  const { profile, isAssumed } = profileOf(frame, recording.variant);
  return planUnits(identityOf(profile, frame), frame, 'inverter').flatMap((plan) => {
    const reading = readingOf(plan, frame, 'exact');
    const quantities = quantitiesOf(plan).filter(({ name }) => reading.has(name));
    return quantities.length === 0
      ? []
      : [
          {
            kind: plan.kind,
            model: plan.model,
            quantities,
            reading,
            ...(isAssumed ? { assumedVariant: profile } : {}),
          },
        ];
  });
}

/** The profile of the device type, else the variant that the recording names, else that of its registers. */
function profileOf(frame: RegisterValues, variant: string | undefined) {
  const code = frame.get(DEVICE_TYPE_REGISTER);
  if (code !== undefined) {
    const type = deviceType(code);
    if (type?.profile === undefined) {
      throw new BadRecording(`${type?.name ?? code} in register 0 is no hybrid inverter of Deye`);
    }
    return { profile: type.profile, isAssumed: false };
  }
  const named = PROFILES.find((profile) => profile === variant);
  if (named !== undefined) return { profile: named, isAssumed: false };
  if (variant !== undefined && variant !== 'deye') {
    throw new BadRecording(`"${variant}" is no variant of Deye; there are ${PROFILES.join(', ')}`);
  }
  const clock = THREE_PHASE_CLOCK.map((register) => frame.get(register) ?? 0);
  const three = Math.max(0, ...frame.keys()) >= THREE_PHASE_ONLY || readClock(clock) !== null;
  const profile: Profile = three ? 'three-phase LV' : 'single-phase';
  return { profile, isAssumed: true };
}

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

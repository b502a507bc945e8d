import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ConfigError } from '@heliograph/kit';
import { unitTitle } from '@heliograph/metrics';
import { Type } from 'typebox';
import { parse } from 'yaml';
import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import type { DescribedQuantity } from '../described-unit.ts';
import { type DecodedUnit, type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import type { ReadLimits } from '../modbus/blocks.ts';
import { readRow } from '../modbus/codec.ts';
import { recordedRegisters } from '../modbus/recorded-registers.ts';
import { tableOf } from '../modbus/register-address.ts';
import { RegisterReader, readSpans } from '../modbus/register-reader.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import {
  type CompiledCondition,
  type CompiledProfile,
  compileProfile,
  isWideNumber,
  widthOf,
} from './compiled-profile.ts';
import { type OpenedProfile, ProfileHardware } from './profile-hardware.ts';
import type { DriverProfile, ProfileReading, ProfileSetting } from './profile-schema.ts';
import { readProfile } from './read-profile.ts';
import { decodeFrame, holds, planUnit, quantitiesOf } from './unit-plan.ts';

const DEFAULT_UNIT_ID = 1;

/** All hardware answers this many at once, and none minds as many unneeded ones. */
const LIMITS: ReadLimits = { maxRead: 60, maxGap: 16 };

/** A profile that holds mistakes; the message has one a line. */
export class BadProfile extends ConfigError {}

export interface ProfileOrigin {
  /** Whether it is the owner's, beside the configuration file: it writes only where a connection allows it. */
  readonly isOwn: boolean;
}

/**
 * @param file path of a profile, `NAME.yaml`
 * @throws BadProfile when it holds mistakes, the system's error when it cannot be read
 */
export async function loadProfile(
  file: string,
  origin: ProfileOrigin = { isOwn: true },
): Promise<ModbusFamily> {
  const text = await readFile(file, 'utf8');
  // Tests check the built-in ones, so that no device compiles the schema for them.
  return familyOf(origin.isOwn ? checkedProfile(text, file) : (parse(text) as DriverProfile), origin);
}

/** @throws BadProfile */
function checkedProfile(text: string, file: string): DriverProfile {
  const read = readProfile(text);
  if ('mistakes' in read) {
    const lines = read.mistakes.map(
      ({ line, column, field, message }) =>
        `${file}:${line}:${column}: ${[field, message].filter(Boolean).join(': ')}`,
    );
    throw new BadProfile(lines.join('\n'));
  }
  const { profile } = read;
  const expected = basename(file).replace(/\.yaml$/, '');
  if (profile.name !== expected) {
    throw new BadProfile(`${file}: its name is ${profile.name}, so its file must be ${profile.name}.yaml`);
  }
  return profile;
}

const WRITE_OPTIONS = Type.Object(
  {
    allow_writes: Type.Optional(
      Type.Boolean({ description: 'whether settings of this profile may be written to the hardware' }),
    ),
  },
  { additionalProperties: false },
);

const NO_WRITES =
  'this profile is your own and only reads: set "allow_writes: true" in the options of its connection';

function familyOf(profile: DriverProfile, { isOwn }: ProfileOrigin): ModbusFamily {
  const compiled = compileProfile(profile);
  const { name, title, line, unit = DEFAULT_UNIT_ID, protocols = [name], settings = [] } = profile;
  return {
    name,
    title,
    speaks: 'modbus',
    usualUnit: unit,
    kinds: [compiled.kind],
    ...(compiled.kind === 'meters' ? { readsMeters: true } : {}),
    ...(profile.udp ? { servesUdp: true } : {}),
    ...(isOwn && settings.length > 0 ? { options: WRITE_OPTIONS } : {}),
    line: {
      baudRate: line?.baud ?? 9_600,
      parity: line?.parity ?? 'none',
      stopBits: line?.stop_bits ?? 1,
    },
    // Pages of documentation have it; a device does without.
    get describedUnits() {
      return [{ title: unitTitle(compiled.kind), rows: describedRows(compiled) }];
    },
    protocols,
    decode: (recording) => decodeRecording(compiled, recording),
    open: (bus, target, _clock, readBackTime) => {
      const settingsRefusal = isOwn && target.options.allow_writes !== true ? NO_WRITES : undefined;
      return openUnit(compiled, bus, target, { settingsRefusal, readBackTime });
    },
  };
}

async function openUnit(
  compiled: CompiledProfile,
  bus: ModbusBus,
  { unit = compiled.profile.unit ?? DEFAULT_UNIT_ID }: Target,
  writes: Pick<OpenedProfile, 'settingsRefusal' | 'readBackTime'>,
): Promise<Hardware> {
  const { profile } = compiled;
  await recognise(compiled, bus, unit);
  const limits: ReadLimits = {
    maxRead: profile.max_read ?? LIMITS.maxRead,
    maxGap: profile.max_gap ?? LIMITS.maxGap,
    silentWhereAbsent: compiled.silentWhereAbsent,
  };
  const reader = new RegisterReader(bus, unit, compiled.spans, limits);
  const opened = await reader.explore();
  const plan = planUnit(compiled, opened);
  if (plan.readings.length === 0) throw new NotRecognised(`unit ${unit} has no register of ${profile.name}`);
  const serial = plan.readings.find(({ quantity }) => quantity.name === profile.serial_number);
  const serialNumber = serial?.from === 'registers' ? (readRow(serial.row, opened) ?? null) : null;
  const identity =
    serial?.from === 'registers' && serialNumber !== null ? { row: serial.row, serialNumber } : undefined;
  return new ProfileHardware(bus, unit, {
    compiled,
    reader,
    plan,
    registers: opened,
    identity,
    ...writes,
  });
}

/** @throws NotRecognised unless the identifying registers hold what the profile states */
async function recognise(
  { identity, profile }: CompiledProfile,
  bus: ModbusBus,
  unit: number,
): Promise<void> {
  let frame: RegisterValues = new Map();
  for (const [at, condition] of identity.entries()) {
    const { address } = condition;
    if (!frame.has(address)) frame = await identityFrame(bus, unit, address, neighbours(identity.slice(at)));
    if (holds(condition, frame)) continue;
    throw new NotRecognised(
      `unit ${unit}: ${frame.get(address)} in ${tableOf(address)} register ${address & 0xffff} is not what ${profile.title} has there`,
    );
  }
}

/** How many conditions from the first on are about one register after the other; hardware may refuse half a number. */
function neighbours(conditions: readonly CompiledCondition[]): number {
  const first = conditions[0]?.address ?? 0;
  const end = conditions.findIndex(({ address }, at) => address !== first + at);
  return end === -1 ? conditions.length : end;
}

async function identityFrame(
  bus: ModbusBus,
  unit: number,
  address: number,
  count: number,
): Promise<RegisterValues> {
  try {
    return await readSpans(bus, unit, [{ address, count }]);
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error;
    throw new NotRecognised(
      `unit ${unit} has no ${tableOf(address)} register ${address & 0xffff}: ${error.message}`,
      { cause: error },
    );
  }
}

function decodeRecording(compiled: CompiledProfile, recording: Recording): readonly DecodedUnit[] {
  const { table: loggedTable = 'holding' } = compiled.profile;
  const frame = recordedRegisters(recording, { loggedTable });
  const other = compiled.identity.find((condition) => holds(condition, frame) === false);
  if (other !== undefined) {
    const content = frame.get(other.address);
    throw new BadRecording(
      `${content} in register ${other.address & 0xffff} is not what ${compiled.profile.title} has there`,
    );
  }
  const plan = planUnit(compiled, frame);
  const { reading, withheld } = decodeFrame(plan, frame, 'exact');
  const quantities = quantitiesOf(plan).filter(({ name }) => reading.has(name));
  if (quantities.length === 0) return [];
  return [
    {
      kind: compiled.kind,
      model: plan.model,
      quantities,
      reading,
      withheld,
    },
  ];
}

/** One row a name: hardware may have it in one of several places. */
function describedRows(compiled: CompiledProfile): readonly DescribedQuantity[] {
  const { readings, settings = [] } = compiled.profile;
  const rows = [...readings, ...settings].map((place, at) => describedRow(place, compiled, at));
  const names = [...new Set(rows.map(({ quantity }) => quantity.name))];
  return names.flatMap((name) => {
    const [first, ...others] = rows.filter(({ quantity }) => quantity.name === name);
    if (first === undefined) return [];
    return [{ ...first, from: [first, ...others].map(({ from }) => from).join(' or ') }];
  });
}

function describedRow(
  place: ProfileReading | ProfileSetting,
  { readings, settings, profile }: CompiledProfile,
  at: number,
): DescribedQuantity {
  const { quantity } = readings[at] ?? settings[at - readings.length] ?? { quantity: undefined };
  if (quantity === undefined) throw new RangeError(`${profile.name} has no reading ${at}`);
  const terms = 'sum' in place ? place.sum : undefined;
  const factors = 'product' in place ? place.product : undefined;
  const from =
    terms?.join(' + ').replaceAll('+ -', '- ') ?? factors?.join(' × ') ?? registersText(place, profile);
  const remarks = [
    ...(place.confirmed === false ? ['one source'] : []),
    ...(place.remark === undefined ? [] : [place.remark]),
  ];
  return { quantity, from, ...(remarks.length === 0 ? {} : { remark: remarks.join('; ') }) };
}

function registersText(place: ProfileReading | ProfileSetting, profile: DriverProfile): string {
  const { at = 0, table } = place;
  const count = isWideNumber(place) ? widthOf(place) : 1;
  const registers = Array.from({ length: count }, (_, index) => at + index);
  return `${table ?? profile.table ?? 'holding'} ${registers.join(', ')}`;
}

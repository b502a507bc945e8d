import { type MetricValue, roundTo } from '@heliograph/metrics';
import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import { type OnSend, RejectedByHardware } from '../driver.ts';
import { exchanged } from '../exchanged.ts';
import type { RegisterValues } from '../registers.ts';
import { afterWrite, type ReadBackTime, type WriteSignal, writeVerified } from '../write-verified.ts';
import { extentOf, planBlocks, type RegisterSpan, runsOf, spansOf } from './blocks.ts';
import { encode, readExactly, readRow, registersIn } from './codec.ts';
import { factorOf, isBetweenCounts } from './numbers.ts';
import { tableOf } from './register-address.ts';
import { type RegisterReader, readSpans } from './register-reader.ts';
import { isNumber, type RegisterRow } from './row.ts';

const ALL_ONES = 0xffff;
const ENABLED = 1;
/** Of Modbus itself; settings are far shorter. */
const MAX_READ = 125;

/** How a family's hardware takes settings. */
export interface WriteRules {
  /** How messages call it, such as `the inverter`. */
  readonly hardware: string;
  /** Function 16 for one register, too, for hardware that does not know function 6. */
  readonly alwaysMultiple?: boolean;
  /** A value in force is written again, for hardware that reverts it after a time. */
  readonly repeatsInForce?: true;
  /** Why the hardware refused a request; undefined for errors that are no refusal. A Modbus exception is one by default. */
  readonly refusalOf?: (error: unknown) => string | undefined;
}

/** The serial number of the unit as polls know it: what answers with another one is another unit. */
export interface UnitIdentity {
  readonly row: RegisterRow;
  readonly serialNumber: MetricValue;
  /** The unit id that has it; the setting's own when left out. */
  readonly unitId?: number;
}

export interface SettingWrite {
  /** Of neighbouring registers. */
  readonly row: RegisterRow;
  readonly value: number | string;
  readonly rules: WriteRules;
  /**
   * Reads the row's registers, and those that scale and enable it, before and after the write: what it does not return
   * is read again. By default they are read as they are, and a refusal is final.
   */
  readonly read?: () => Promise<RegisterValues>;
  /** Read right before the write; undefined where the unit has none. */
  readonly identity?: UnitIdentity | undefined;
  /** Knows what the unit answers with one request; the setting and the serial number take two when left out. */
  readonly reader?: RegisterReader;
  /** Aborts when the caller no longer waits: a request that was not sent by then is never sent. */
  readonly signal?: WriteSignal | undefined;
  readonly onSend?: OnSend | undefined;
  /** Of the read-backs; the system's when left out. */
  readonly time?: ReadBackTime | undefined;
}

/** A setting as its registers have it; the value has all of their digits. */
interface SettingState {
  readonly registers: readonly number[];
  readonly value: MetricValue;
}

/**
 * Writes one setting with one request, then the register that enables it, and reads both back. Its registers are read
 * right before, because they may hold other settings beside this one; a value that is in force already is not written,
 * because settings live in memory that wears.
 *
 * @returns the value as the hardware now reports it, which may be one that it chose itself
 * @throws RejectedByHardware when the hardware refuses or keeps its old value
 * @throws WriteWithheld when another unit is there, or too little time is left
 * @throws LinkDown when nothing was written, WriteUnanswered when the outcome is unknown
 */
export async function writeSetting(
  bus: ModbusBus,
  unitId: number,
  write: SettingWrite,
): Promise<MetricValue> {
  const { row, value, signal, onSend, time, rules, read = () => readRegisters(bus, unitId, row) } = write;
  const { name } = row.quantity;
  const { hardware, refusalOf = exceptionMessage } = rules;
  const shown = ({ value: exact }: SettingState): MetricValue => roundTo(row.quantity, exact);

  const unread = `${name} cannot be read, so it was not written`;
  const frame = await orRejected(() => readOfSameUnit(bus, unitId, write), refusalOf, unread);
  const before = stateIn(frame, row);
  if (before === undefined) throw new RejectedByHardware(unread, { reason: 'unreadable' });
  if (isMissing(row, before.registers)) {
    throw new RejectedByHardware(`${hardware} does not have ${name}`, { reason: 'unsupported' });
  }
  const registers = encodeOrReject(row, value, frame, hardware);
  const { address, values } = inOrder(row, registers);
  const expected = expectedIn(frame, row, registers);
  let taken: number | undefined;

  const now = await writeVerified<SettingState | undefined>({
    name,
    before,
    alreadyInForce: !rules.repeatsInForce && expected !== null && expected === before.value,
    // The contents confirm a write of registers that may also mean something else.
    isInForce: (state) =>
      expected === null ? areEqual(state?.registers, registers) : state?.value === expected,
    isUnchanged: (state) =>
      state?.value === before.value && (before.value !== null || areEqual(state.registers, before.registers)),
    // Hardware that answered with content of its own choice, and holds it, is not on its way to another.
    isFinal: (state) => values.length === 1 && taken !== values[0] && taken === state?.registers[0],
    send: async (requireTime) => {
      const onFirstByte = (): void => onSend?.(shown(before));
      const alwaysMultiple = rules.alwaysMultiple ?? false;
      const options = { signal, requireTime, onSend: onFirstByte, alwaysMultiple };
      try {
        taken = await bus.write(unitId, address, values, options);
      } catch (cause) {
        const reason = refusalOf(cause);
        if (reason === undefined) throw cause;
        const refused = new RejectedByHardware(`${hardware} refused ${value} for ${name}: ${reason}`, {
          cause,
        });
        if (cause instanceof ModbusException && cause.mayBeCarriedOut) return refused;
        throw refused;
      }
      const { enabledBy } = row;
      if (enabledBy === undefined) return undefined;
      // One that was in force before may hold although its enabling was refused: what is read decides.
      return afterWrite(name, async () => {
        try {
          await bus.write(unitId, enabledBy.register, [ENABLED]);
          return undefined;
        } catch (cause) {
          const reason = refusalOf(cause);
          if (reason === undefined) throw cause;
          return new RejectedByHardware(
            `${hardware} noted ${value} and refused to put it in force: ${reason}`,
            { cause },
          );
        }
      });
    },
    read: async () => stateIn(await read(), row),
    rejection: (state) =>
      new RejectedByHardware(
        `${hardware} kept ${name} at ${shown(state ?? before) ?? 'an unknown value'} and did not take ${value}`,
        { reason: 'kept' },
      ),
    signal,
    roundTripMs: bus.roundTripMs,
    time,
  });
  if (now === undefined) return null;
  return expected === null && areEqual(now.registers, registers) ? value : shown(now);
}

function readRegisters(bus: ModbusBus, unitId: number, row: RegisterRow): Promise<RegisterValues> {
  return readSpans(bus, unitId, requestsFor(spansOf([row])));
}

function requestsFor(spans: readonly RegisterSpan[]): readonly RegisterSpan[] {
  return planBlocks(spans, { maxRead: MAX_READ, maxGap: 0 }).map(extentOf);
}

/**
 * Reads the setting, and the serial number of the unit where it has one: with one request where the unit answers both at
 * once.
 *
 * @throws WriteWithheld when another unit answers
 */
async function readOfSameUnit(
  bus: ModbusBus,
  unitId: number,
  { row, identity, reader, read }: SettingWrite,
): Promise<RegisterValues> {
  const readSetting = read ?? (() => readRegisters(bus, unitId, row));
  if (identity === undefined) return readSetting();
  const { unitId: identityUnitId = unitId } = identity;
  if (read === undefined && identityUnitId === unitId) {
    const spans = spansOf([row, identity.row]);
    const frame = await readWithOptional(
      bus,
      unitId,
      reader?.requestsFor(spans) ?? requestsFor(spans),
      spansOf([row]),
    );
    requireSameUnit(bus, unitId, identity, frame);
    return frame;
  }
  const frame = await readSetting();
  requireSameUnit(bus, unitId, identity, await readIdentity(bus, identityUnitId, identity.row));
  return frame;
}

/** Without the requests that the unit refuses for a moment and that hold nothing of what is needed. */
async function readWithOptional(
  bus: ModbusBus,
  unitId: number,
  requests: readonly RegisterSpan[],
  needed: readonly RegisterSpan[],
): Promise<RegisterValues> {
  const frame = new Map<number, number>();
  for (const request of requests) {
    try {
      for (const [register, content] of await readSpans(bus, unitId, [request])) frame.set(register, content);
    } catch (error) {
      const isNeeded = needed.some((span) => overlap(span, request));
      if (isNeeded || !(error instanceof ModbusException)) throw error;
    }
  }
  return frame;
}

function overlap(one: RegisterSpan, other: RegisterSpan): boolean {
  return one.address < other.address + other.count && other.address < one.address + one.count;
}

/** Empty where the unit refuses it for a moment. */
async function readIdentity(bus: ModbusBus, unitId: number, row: RegisterRow): Promise<RegisterValues> {
  try {
    return await readRegisters(bus, unitId, row);
  } catch (error) {
    if (error instanceof ModbusException) return new Map();
    throw error;
  }
}

/** A serial number that is missing for a moment is that of the same unit, as in polls. */
function requireSameUnit(
  bus: ModbusBus,
  unitId: number,
  { row, serialNumber }: UnitIdentity,
  frame: RegisterValues,
): void {
  const now = readRow(row, frame) ?? null;
  if (now === null || now === serialNumber) return;
  throw exchanged(now, serialNumber, `${bus.name}: unit ${unitId} is now ${now}, not ${serialNumber}`);
}

function stateIn(frame: RegisterValues, row: RegisterRow): SettingState | undefined {
  const registers = registersIn(row.registers, frame);
  const value = readExactly(row, frame);
  return registers === undefined || value === undefined ? undefined : { registers, value };
}

/** The value that the registers stand for once they are written, and enabled. */
function expectedIn(frame: RegisterValues, row: RegisterRow, registers: readonly number[]): MetricValue {
  const written = new Map(frame);
  for (const [index, register] of row.registers.entries()) written.set(register, registers[index] ?? 0);
  if (row.enabledBy !== undefined) written.set(row.enabledBy.register, ENABLED);
  return readExactly(row, written) ?? null;
}

/** All ones fill registers that there are not; in a number with a sign they are -1. */
function isMissing({ type }: RegisterRow, registers: readonly number[]): boolean {
  return type !== 's16' && type !== 's32' && registers.every((register) => register === ALL_ONES);
}

function encodeOrReject(
  row: RegisterRow,
  value: number | string,
  frame: RegisterValues,
  hardware: string,
): readonly number[] {
  const { name, unit } = row.quantity;
  const scaleBy = isNumber(row) ? row.scaleBy : undefined;
  const scaleContent = scaleBy === undefined ? undefined : frame.get(scaleBy.register);
  if (factorOf(scaleBy, scaleContent) === undefined) {
    throw new RejectedByHardware(`${hardware} no longer tells the scale of ${name}, so it was not written`, {
      reason: 'unreadable',
    });
  }
  if (isNumber(row) && typeof value === 'number' && isBetweenCounts(row, value)) {
    throw new RejectedByHardware(
      `${hardware} keeps ${name} in steps of ${row.scale ?? 1} ${unit}, so not ${value}`,
      { reason: 'not_held' },
    );
  }
  try {
    return encode(row, value, registersIn(row.registers, frame), scaleContent);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RejectedByHardware(`${hardware} cannot hold ${value} for ${name}`, {
      cause: error,
      reason: 'not_held',
    });
  }
}

/** @throws RangeError unless one request can write the row */
function inOrder(row: RegisterRow, registers: readonly number[]) {
  const [run, ...others] = runsOf(row.registers);
  if (run?.count !== registers.length || others.length > 0 || tableOf(run.address) !== 'holding') {
    throw new RangeError(`${row.quantity.name} does not stand in neighbouring holding registers`);
  }
  const values = row.registers
    .map((register, index) => ({ register, content: registers[index] ?? 0 }))
    .sort((a, b) => a.register - b.register)
    .map(({ content }) => content);
  return { address: run.address, values };
}

function areEqual(one: readonly number[] | undefined, other: readonly number[]): boolean {
  return one?.every((register, index) => register === other[index]) ?? false;
}

function exceptionMessage(error: unknown): string | undefined {
  return error instanceof ModbusException ? error.message : undefined;
}

/** @throws RejectedByHardware with the description and the reason, in place of a refusal */
async function orRejected<T>(
  request: () => Promise<T>,
  refusalOf: (error: unknown) => string | undefined,
  description: string,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    throw new RejectedByHardware(`${description}: ${reason}`, { cause: error, reason: 'unreadable' });
  }
}

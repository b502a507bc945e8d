import type { Model, Point, PointType } from './models/point.ts';

/** A decoded point: null when the device marks it as unimplemented. */
export type PointValue = number | string | null;
export type Values = Readonly<Record<string, PointValue>>;

export interface ModelValues {
  /** By point name; a point that the device's shorter model leaves out is null. */
  readonly points: Values;
  /** One entry per repetition of the model's group. */
  readonly groups: readonly Values[];
}

/** Number layouts. `absent` is the raw value that means "unimplemented". Registers are high word first. */
interface NumberLayout {
  readonly registers: 1 | 2 | 4;
  readonly signed?: true;
  readonly absent: bigint;
}

const NUMBERS: Readonly<Record<Exclude<PointType, 'string' | 'float32' | 'pad'>, NumberLayout>> = {
  uint16: { registers: 1, absent: 0xffffn },
  int16: { registers: 1, signed: true, absent: 0x8000n },
  enum16: { registers: 1, absent: 0xffffn },
  bitfield16: { registers: 1, absent: 0xffffn },
  count: { registers: 1, absent: 0xffffn },
  sunssf: { registers: 1, signed: true, absent: 0x8000n },
  uint32: { registers: 2, absent: 0xffff_ffffn },
  int32: { registers: 2, signed: true, absent: 0x8000_0000n },
  bitfield32: { registers: 2, absent: 0xffff_ffffn },
  acc32: { registers: 2, absent: 0n },
  uint64: { registers: 4, absent: 0xffff_ffff_ffff_ffffn },
  acc64: { registers: 4, absent: 0n },
};

const FLOAT_NAN = [0x7fc0, 0x0000] as const;
const PAD = 0x8000;

/** Scale factors outside this range are garbage: the published models allow no others. */
const MAX_SCALE = 10;

/**
 * Decodes one model.
 *
 * @param registers from the model's ID register on; may end early, what is missing is null
 */
export function decodeModel(model: Model, registers: readonly number[]): ModelValues {
  const raw = decodeRaw(model.points, registers, 0);
  const { group } = model;
  const repetitions = group === undefined ? 0 : repetitionsIn(model, registers, raw[group.countPoint]);
  return {
    points: scaleAll(model.points, raw, raw),
    groups: Array.from({ length: repetitions }, (_, index) => {
      const start = (group?.offset ?? 0) + index * (group?.length ?? 0);
      const points = group?.points ?? [];
      return scaleAll(points, decodeRaw(points, registers, start), raw);
    }),
  };
}

/**
 * Encodes one model, header included, as a device would serve it.
 *
 * @param values by point name; what is not given is encoded as unimplemented. Scale factors are points like
 *   any other and must be given for the points that use them.
 * @param options.groups the repetitions; their number becomes the count point
 * @param options.length L, where a device leaves the trailing pad out
 * @throws RangeError when a name is unknown or a value does not fit its type and scale factor
 */
export function encodeModel(
  model: Model,
  values: Values,
  options: { readonly groups?: readonly Values[]; readonly length?: number } = {},
): number[] {
  const groups = options.groups ?? [];
  const { group } = model;
  const length = options.length ?? model.length + groups.length * (group?.length ?? 0);
  const all: Values = group === undefined ? values : { [group.countPoint]: groups.length, ...values };
  const registers: number[] = [model.id, length];
  put(registers, 0, model.points, all, all);
  for (const [index, repetition] of groups.entries()) {
    if (group === undefined) throw new RangeError(`model ${model.id} has no repeated group`);
    put(registers, group.offset + index * group.length, group.points, repetition, all);
  }
  return Array.from({ length: length + 2 }, (_, index) => registers[index] ?? PAD);
}

/**
 * Decodes one point.
 *
 * @param registers exactly the point's registers
 * @param scale power of ten
 */
export function decodePoint(point: Point, registers: readonly number[], scale = 0): PointValue {
  const raw = decodeUnscaled(point, registers);
  return typeof raw === 'number' ? applyScale(raw, scale) : raw;
}

/**
 * Encodes one point; null becomes the type's value for "unimplemented".
 *
 * @param scale power of ten
 * @throws RangeError when the value does not fit
 */
export function encodePoint(point: Point, value: PointValue, scale = 0): number[] {
  if (point.type === 'pad') return [PAD];
  if (point.type === 'string') return encodeText(point, value);
  if (typeof value === 'string') throw refusal(point, value);
  if (point.type === 'float32') return value === null ? [...FLOAT_NAN] : encodeFloat(value);
  const layout = NUMBERS[point.type];
  if (value === null) return split(layout.absent, layout.registers);
  const raw = Math.round(scale < 0 ? value * 10 ** -scale : value / 10 ** scale);
  const bits = BigInt(layout.registers * 16);
  if (!Number.isSafeInteger(raw) || !fits(BigInt(raw), layout, bits)) throw refusal(point, value);
  return split(BigInt.asUintN(Number(bits), BigInt(raw)), layout.registers);
}

function repetitionsIn(model: Model, registers: readonly number[], counted: PointValue | undefined): number {
  if (model.group === undefined) return 0;
  const capacity = Math.floor((registers.length - model.group.offset) / model.group.length);
  return Math.max(0, typeof counted === 'number' ? Math.min(counted, capacity) : capacity);
}

function decodeRaw(points: readonly Point[], registers: readonly number[], start: number): Values {
  return Object.fromEntries(
    points.map((point) => {
      const from = start + point.offset;
      const slice = registers.slice(from, from + point.length);
      return [point.name, slice.length === point.length ? decodeUnscaled(point, slice) : null];
    }),
  );
}

function scaleAll(points: readonly Point[], raw: Values, factors: Values): Values {
  return Object.fromEntries(
    points.map((point) => {
      const value = raw[point.name] ?? null;
      if (typeof value !== 'number' || point.scale === undefined) return [point.name, value];
      const scale = typeof point.scale === 'number' ? point.scale : factors[point.scale];
      return [point.name, typeof scale === 'number' ? applyScale(value, scale) : null];
    }),
  );
}

function decodeUnscaled(point: Point, registers: readonly number[]): PointValue {
  if (point.type === 'pad') return null;
  if (point.type === 'string') return decodeText(registers);
  if (point.type === 'float32') return decodeFloat(registers);
  const layout = NUMBERS[point.type];
  const raw = registers.reduce((sum, register) => (sum << 16n) | BigInt(register), 0n);
  if (raw === layout.absent) return null;
  return Number(layout.signed ? BigInt.asIntN(layout.registers * 16, raw) : raw);
}

/** Whether a scale factor is one that the published models allow. */
export function isScale(value: PointValue | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_SCALE;
}

/** Divides by whole powers, so that 16389 at -2 is exactly 163.89. */
function applyScale(raw: number, scale: number): number | null {
  if (!isScale(scale)) return null;
  return scale < 0 ? raw / 10 ** -scale : raw * 10 ** scale;
}

function put(into: number[], start: number, points: readonly Point[], values: Values, factors: Values): void {
  const names = new Set(points.map((point) => point.name));
  for (const name of Object.keys(values)) {
    if (!names.has(name)) throw new RangeError(`there is no point ${name}`);
  }
  for (const point of points) {
    const value = values[point.name] ?? null;
    const scale = typeof point.scale === 'string' ? factors[point.scale] : (point.scale ?? 0);
    if (value !== null && typeof scale !== 'number')
      throw new RangeError(`${point.name} needs ${point.scale}`);
    const registers = encodePoint(point, value, typeof scale === 'number' ? scale : 0);
    registers.forEach((register, index) => {
      into[start + point.offset + index] = register;
    });
  }
}

function fits(raw: bigint, layout: NumberLayout, bits: bigint): boolean {
  const highest = layout.signed ? 2n ** (bits - 1n) - 1n : 2n ** bits - 1n;
  const lowest = layout.signed ? -highest : 0n;
  // A counter at zero and a counter that is unimplemented look alike; every other type keeps them apart.
  const taken = raw === layout.absent && layout.absent !== 0n;
  return raw >= lowest && raw <= highest && !taken;
}

function split(raw: bigint, registers: number): number[] {
  return Array.from({ length: registers }, (_, index) =>
    Number((raw >> BigInt(16 * (registers - 1 - index))) & 0xffffn),
  );
}

/** Two characters per register, high byte first, padded with NUL or spaces. */
function decodeText(registers: readonly number[]): string | null {
  const bytes = Buffer.from(registers.flatMap((register) => [register >> 8, register & 0xff]));
  const text = (bytes.toString('utf8').split('\0')[0] ?? '').trim();
  return text === '' ? null : text;
}

function encodeText(point: Point, value: PointValue): number[] {
  if (typeof value === 'number') throw refusal(point, value);
  const bytes = Buffer.alloc(point.length * 2);
  const text = Buffer.from(value ?? '', 'utf8');
  if (text.length > bytes.length) throw refusal(point, value);
  text.copy(bytes);
  return Array.from({ length: point.length }, (_, index) => bytes.readUInt16BE(index * 2));
}

function decodeFloat(registers: readonly number[]): number | null {
  const bytes = Buffer.alloc(4);
  registers.forEach((register, index) => {
    bytes.writeUInt16BE(register, index * 2);
  });
  const value = bytes.readFloatBE();
  return Number.isFinite(value) ? value : null;
}

function encodeFloat(value: number): number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)];
}

function refusal(point: Point, value: PointValue): RangeError {
  return new RangeError(`${point.name} (${point.type}) cannot hold ${value}`);
}

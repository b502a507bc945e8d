/** Register types of SunSpec points. `pad` fills a model up to an even length and carries nothing. */
export type PointType =
  | 'uint16'
  | 'int16'
  | 'enum16'
  | 'bitfield16'
  | 'count'
  | 'sunssf'
  | 'pad'
  | 'uint32'
  | 'int32'
  | 'bitfield32'
  | 'acc32'
  | 'float32'
  | 'uint64'
  | 'acc64'
  | 'string';

/** The labels of an enumerated point's numbers. */
export type Symbols = Readonly<Record<number, string>>;

/** One value in a model. */
export interface Point {
  readonly name: string;
  readonly type: PointType;
  /** Registers from the model's ID register (ID is 0, L is 1); in a group, from the group's first register. */
  readonly offset: number;
  /** In registers. */
  readonly length: number;
  /** The point that holds the power of ten, or that power itself. Absent: the raw number is the value. */
  readonly scale?: string | number;
  readonly unit?: string;
  readonly writable?: true;
  readonly symbols?: Symbols;
}

/** Points that repeat at the end of a model, once per string, port or module. */
export interface PointGroup {
  /** The point that holds the number of repetitions. */
  readonly countPoint: string;
  /** Registers from the model's ID register to the first repetition. */
  readonly offset: number;
  /** Registers of one repetition. */
  readonly length: number;
  readonly points: readonly Point[];
}

export interface Model {
  readonly id: number;
  readonly name: string;
  /** L as published: registers after L, without repeated groups. Some devices leave a trailing pad out. */
  readonly length: number;
  readonly points: readonly Point[];
  readonly group?: PointGroup;
}

const scaled =
  (type: PointType, length: number) =>
  (name: string, offset: number, scale?: string | number, unit?: string): Point => ({
    name,
    type,
    offset,
    length,
    ...(scale === undefined ? {} : { scale }),
    ...(unit === undefined ? {} : { unit }),
  });

const plain =
  (type: PointType, length: number) =>
  (name: string, offset: number): Point => ({ name, type, offset, length });

export const u16 = scaled('uint16', 1);
export const s16 = scaled('int16', 1);
export const u32 = scaled('uint32', 2);
export const s32 = scaled('int32', 2);
export const u64 = scaled('uint64', 4);
export const acc32 = scaled('acc32', 2);
export const acc64 = scaled('acc64', 4);
export const bits16 = plain('bitfield16', 1);
export const bits32 = plain('bitfield32', 2);
export const count = plain('count', 1);
export const sf = plain('sunssf', 1);
export const pad = plain('pad', 1);

export const f32 = (name: string, offset: number, unit?: string): Point =>
  scaled('float32', 2)(name, offset, undefined, unit);

export const enum16 = (name: string, offset: number, symbols?: Symbols): Point => ({
  ...plain('enum16', 1)(name, offset),
  ...(symbols === undefined ? {} : { symbols }),
});

export const text = (name: string, offset: number, length: number): Point => ({
  ...plain('string', length)(name, offset),
});

/** Marks a point that may be written. */
export const rw = (point: Point): Point => ({ ...point, writable: true });

type NumberPoint = typeof u16;

/** A total and its three phases in consecutive points: `phases(s16, 'W', 18, ...)` is W, WphA, WphB, WphC. */
export function phases(
  make: NumberPoint,
  name: string,
  offset: number,
  scale: string | undefined,
  unit: string,
  suffix = 'ph',
): readonly Point[] {
  const { length } = make(name, offset);
  return ['', 'A', 'B', 'C'].map((phase, index) =>
    make(phase === '' ? name : `${name}${suffix}${phase}`, offset + index * length, scale, unit),
  );
}

import type { MetricValue } from '@heliograph/metrics';
import { readExactly } from '../modbus/codec.ts';
import type { NumberLayout, RegisterField } from '../modbus/row.ts';
import type { RegisterValues } from '../registers.ts';
import { HEADER_REGISTERS, type ModelHeader } from './chain.ts';
import { modelById } from './models/index.ts';
import type { Model, Point, PointType } from './models/point.ts';

/** The layout of each type, and the content that means "unimplemented". */
const NUMBERS: Readonly<Record<Exclude<PointType, 'pad' | 'string'>, NumberLayout>> = {
  uint16: { type: 'u16' },
  int16: { type: 's16', noValue: [0x8000] },
  enum16: { type: 'u16' },
  bitfield16: { type: 'u16' },
  count: { type: 'u16' },
  sunssf: { type: 's16', noValue: [0x8000] },
  uint32: { type: 'u32' },
  int32: { type: 's32', noValue: [0x8000_0000] },
  bitfield32: { type: 'u32' },
  acc32: { type: 'u32', noValue: [0] },
  uint64: { type: 'u64' },
  acc64: { type: 'u64', noValue: [0] },
  float32: { type: 'f32' },
};

/** By point name; a point that the device's shorter model leaves out is missing. */
export type PointFields = ReadonlyMap<string, RegisterField>;

/** A model at its address on a device; enumerated points are the numbers of their symbols. */
export interface BoundModel {
  readonly header: ModelHeader;
  readonly points: PointFields;
  /** As many repetitions of the model's group as its length has room for. */
  readonly groups: readonly PointFields[];
  /** The point that holds how many of them there are. */
  readonly count: RegisterField | undefined;
}

/** More strings, modules or ports than any device has; a longer model is read this far. */
export const MAX_REPETITIONS = 32;

export function bindModel(header: ModelHeader, model: Model = modelById(header.id)): BoundModel {
  const { address, length } = header;
  const { group } = model;
  const end = address + HEADER_REGISTERS + length;
  const scales = new Map(
    model.points
      .filter(({ type, offset }) => type === 'sunssf' && address + offset < end)
      .map(({ name, offset }) => [name, address + offset]),
  );
  const bind = (points: readonly Point[], start: number): PointFields =>
    new Map(
      points.flatMap((point) => {
        const field = start + point.offset + point.length > end ? undefined : fieldOf(point, start, scales);
        return field === undefined ? [] : [[point.name, field] as const];
      }),
    );
  const capacity = group === undefined ? 0 : Math.floor((length - model.length) / group.length);
  const points = bind(model.points, address);
  return {
    header,
    points,
    groups: Array.from({ length: Math.min(Math.max(0, capacity), MAX_REPETITIONS) }, (_, index) =>
      bind(group?.points ?? [], address + (group?.offset ?? 0) + index * (group?.length ?? 0)),
    ),
    count: points.get(group?.countPoint ?? ''),
  };
}

/** The repetitions that there are: as the model counts them, else all that it has room for. */
export function groupsIn({ groups, count }: BoundModel, frame: RegisterValues): readonly PointFields[] {
  const counted = count === undefined ? undefined : readExactly(count, frame);
  return typeof counted === 'number' ? groups.slice(0, counted) : groups;
}

/** Null for a point that the device does not implement, undefined for one that was not read. */
export function pointIn(points: PointFields, name: string, frame: RegisterValues): MetricValue | undefined {
  const field = points.get(name);
  return field === undefined ? null : readExactly(field, frame);
}

/** The same of a point that holds a number. */
export function numberIn(
  points: PointFields,
  name: string,
  frame: RegisterValues,
): number | null | undefined {
  const value = pointIn(points, name, frame);
  return value === undefined || typeof value === 'number' ? value : null;
}

/** @param scales addresses of the model's scale factors, by name */
function fieldOf(
  { type, offset, length, scale }: Point,
  start: number,
  scales: ReadonlyMap<string, number>,
): RegisterField | undefined {
  if (type === 'pad') return undefined;
  const registers = Array.from({ length }, (_, index) => start + offset + index);
  if (type === 'string') return { type: 'utf8', registers };
  const field = { ...NUMBERS[type], registers: registers.toReversed() };
  if (typeof scale !== 'string') return field;
  const register = scales.get(scale);
  return register === undefined ? undefined : { ...field, scaleBy: { register, scales: 'powers of ten' } };
}

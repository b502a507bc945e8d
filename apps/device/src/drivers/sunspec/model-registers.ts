import type { MetricValue } from '@heliograph/metrics';
import { encode } from '../modbus/codec.ts';
import { isNumber, type RegisterField } from '../modbus/row.ts';
import { type BoundModel, bindModel, groupsIn, type PointFields, pointIn } from './bound-model.ts';
import { HEADER_REGISTERS } from './chain.ts';
import type { Model } from './models/point.ts';

/** The values of a model's points by their names, as simulated devices have them. */
export type Values = Readonly<Record<string, MetricValue>>;

export interface ModelValues {
  /** A point that is unimplemented or left out by a shorter model is null. */
  readonly points: Values;
  /** One entry per repetition of the model's group. */
  readonly groups: readonly Values[];
}

const PAD = 0x8000;

/**
 * Decodes one model.
 *
 * @param registers from the model's ID register on; may end early, what is missing is null
 */
export function decodeModel(model: Model, registers: readonly number[]): ModelValues {
  const bound = boundAtZero(model, registers.length - HEADER_REGISTERS);
  const frame = new Map(registers.entries());
  const valuesOf = (names: Model['points'], points: PointFields): Values =>
    Object.fromEntries(names.map(({ name }) => [name, pointIn(points, name, frame) ?? null]));
  return {
    points: valuesOf(model.points, bound.points),
    groups: groupsIn(bound, frame).map((points) => valuesOf(model.group?.points ?? [], points)),
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
  const { groups = [], length = model.length + (options.groups?.length ?? 0) * (model.group?.length ?? 0) } =
    options;
  const bound = boundAtZero(model, length);
  if (groups.length > bound.groups.length)
    throw new RangeError(`model ${model.id} has no room for its groups`);
  const all: Values =
    model.group === undefined ? values : { [model.group.countPoint]: groups.length, ...values };
  const registers = [model.id, length, ...new Array<number>(length).fill(PAD)];
  put(registers, bound.points, all);
  for (const [index, group] of groups.entries()) put(registers, bound.groups[index] ?? new Map(), group);
  return registers;
}

function boundAtZero(model: Model, length: number): BoundModel {
  return bindModel({ id: model.id, address: 0, length }, model);
}

function put(into: number[], points: PointFields, values: Values): void {
  for (const name of Object.keys(values)) {
    if (!points.has(name)) throw new RangeError(`there is no point ${name}`);
  }
  // Scale factors first: the points that they scale are encoded by them.
  const inOrder = [...points].sort(([, a], [, b]) => Number(isScaled(a)) - Number(isScaled(b)));
  for (const [name, field] of inOrder) {
    const scaleBy = isNumber(field) ? field.scaleBy : undefined;
    const contents = encode(field, values[name] ?? null, [], scaleBy && into[scaleBy.register]);
    for (const [index, register] of field.registers.entries()) into[register] = contents[index] ?? PAD;
  }
}

function isScaled(field: RegisterField): boolean {
  return 'scaleBy' in field;
}

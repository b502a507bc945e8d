import { encodeModel, modelById, type Values } from '@heliograph/device/sunspec';
import type { Recording } from './recording.ts';

/** A model in a chain that is built for a test. */
export interface ChainLink {
  readonly id: number;
  readonly values?: Values;
  readonly groups?: readonly Values[];
  /** L, where it is not the published one. */
  readonly length?: number;
  /** The address that its header must have; a model that no one knows fills the gap before it. */
  readonly at?: number;
}

export interface Chain extends Recording {
  /** Addresses of the models' headers, in order; fillers are not among them. */
  readonly headers: readonly number[];
}

const MARKER = [0x5375, 0x6e53];
const END = [0xffff, 0];

/** Ids from 64001 on are the makers' own. */
const FILLER_ID = 64_900;
const HEADER_REGISTERS = 2;

/** The registers of a SunSpec unit: the marker at `base`, the models in their order, the end marker. */
export function buildChain(
  links: readonly ChainLink[],
  options: { base?: number; unitId?: number } = {},
): Chain {
  const { base = 40_000, unitId = 1 } = options;
  const registers = new Map<number, number>();
  const headers: number[] = [];
  let next = base;
  const append = (values: readonly number[]): void => {
    for (const value of values) registers.set(next++, value);
  };
  append(MARKER);
  for (const { id, values = {}, groups, length, at } of links) {
    if (at !== undefined && at > next) {
      const gap = at - next - HEADER_REGISTERS;
      append([FILLER_ID, gap, ...new Array<number>(gap).fill(0)]);
    }
    if (at !== undefined && at !== next) throw new RangeError(`there is no room for model ${id} at ${at}`);
    headers.push(next);
    append(
      encodeModel(modelById(id), values, {
        ...(groups === undefined ? {} : { groups }),
        ...(length === undefined ? {} : { length }),
      }),
    );
  }
  append(END);
  return { unitId, registers, headers };
}

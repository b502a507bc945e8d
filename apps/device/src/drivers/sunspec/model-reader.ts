import type { MetricValue, Quantity } from '@heliograph/metrics';
import { LinkDown } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { HEADER_REGISTERS, type ModelHeader } from './chain.ts';
import { decodeModel, type ModelValues, type Values } from './codec.ts';
import { modelById } from './models/index.ts';

/** Modbus answers at most this many registers at once. */
const MAX_READ = 125;

/** Registers at the end of a model that hold nothing used here and would cost a request of their own. */
const UNUSED_TAIL: ReadonlyMap<number, number> = new Map([[701, 32]]);

/** More strings, modules or ports than any device has; a longer model is read this far. */
export const MAX_REPETITIONS = 32;

/** Models of one moment, by header. A model that the unit refused to read is missing. */
export type ModelFrame = ReadonlyMap<ModelHeader, ModelValues>;

/** Neighbouring models that are read together. */
type Block = readonly ModelHeader[];

/** Reads models, several with one request where they stand side by side. */
export class ModelReader {
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  #blocks: readonly Block[];

  constructor(bus: ModbusBus, unitId: number, headers: readonly ModelHeader[]) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#blocks = planBlocks(headers);
  }

  /**
   * Reads every model, its scale factors with it.
   *
   * @throws LinkDown when the unit does not answer, or answers with other models than it announced
   */
  async readAll(): Promise<ModelFrame> {
    const frame = new Map<ModelHeader, ModelValues>();
    for (const block of this.#blocks) {
      const registers = await this.#read(block);
      for (const [header, own] of registers) frame.set(header, decodeModel(modelById(header.id), own));
    }
    return frame;
  }

  /** A unit that refuses to be read across models is read one model at a time from then on. */
  async #read(block: Block): Promise<ReadonlyMap<ModelHeader, readonly number[]>> {
    try {
      return await this.#readTogether(block);
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error;
      if (block.length === 1) return new Map();
    }
    const single = block.map((header) => [header]);
    this.#blocks = this.#blocks.flatMap((other) => (other === block ? single : [other]));
    const parts = new Map<ModelHeader, readonly number[]>();
    for (const one of single) for (const [header, own] of await this.#read(one)) parts.set(header, own);
    return parts;
  }

  async #readTogether(block: Block): Promise<ReadonlyMap<ModelHeader, readonly number[]>> {
    const [first] = block;
    const last = block.at(-1);
    if (first === undefined || last === undefined) return new Map();
    const end = last.address + readLength(last);
    const registers: number[] = [];
    for (let address = first.address; address < end; address += MAX_READ) {
      registers.push(...(await this.#bus.read(this.#unitId, address, Math.min(MAX_READ, end - address))));
    }
    return new Map(
      block.map((header) => {
        const start = header.address - first.address;
        const own = registers.slice(start, start + readLength(header));
        if (own[0] !== header.id || own[1] !== header.length) {
          throw new LinkDown(
            `${this.#bus.name}: unit ${this.#unitId} no longer has model ${header.id} where it was`,
          );
        }
        return [header, own];
      }),
    );
  }
}

/** Whether a frame has a point, a group or a model that an earlier frame of the same reader had not. */
export function hasNewPoints(before: ModelFrame, after: ModelFrame): boolean {
  return [...after].some(([header, { points, groups }]) => {
    const old = before.get(header);
    return (
      old === undefined ||
      groups.length > old.groups.length ||
      hasMore(old.points, points) ||
      groups.some((group, index) => hasMore(old.groups[index] ?? {}, group))
    );
  });
}

function hasMore(before: Values, after: Values): boolean {
  return Object.entries(after).some(([name, value]) => value !== null && (before[name] ?? null) === null);
}

/** Puts models that stand side by side into one block as long as one request can read it. */
export function planBlocks(headers: readonly ModelHeader[]): readonly Block[] {
  const blocks: ModelHeader[][] = [];
  for (const header of headers) {
    const block = blocks.at(-1);
    const first = block?.[0];
    const previous = block?.at(-1);
    const joins =
      block !== undefined &&
      first !== undefined &&
      previous !== undefined &&
      header.address === previous.address + readLength(previous) &&
      header.address + readLength(header) - first.address <= MAX_READ;
    if (joins) block.push(header);
    else blocks.push([header]);
  }
  return blocks;
}

function readLength({ id, length }: ModelHeader): number {
  const { length: fixed, group } = modelById(id);
  const useful = fixed - (UNUSED_TAIL.get(id) ?? 0) + MAX_REPETITIONS * (group?.length ?? 0);
  return HEADER_REGISTERS + Math.min(length, useful);
}

/** A quantity and how it is found in a frame: null is unknown, undefined was not read. */
export interface Measurement {
  readonly quantity: Quantity;
  readonly read: (frame: ModelFrame) => MetricValue | undefined;
}

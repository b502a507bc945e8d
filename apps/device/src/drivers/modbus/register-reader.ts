import { LinkDown } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import type { RegisterValues } from '../registers.ts';
import {
  addressesOf,
  extentOf,
  partsOf,
  planBlocks,
  type ReadLimits,
  type RegisterBlock,
  type RegisterSpan,
} from './blocks.ts';
import { readAt } from './register-address.ts';

/** Exceptions that mean "no such registers" rather than "cannot answer now". */
const NOT_THERE: readonly number[] = [1, 2, 3];

/** Whether the unit refused because it does not have the registers. */
export function isNoSuchRegister(error: unknown): boolean {
  return error instanceof ModbusException && NOT_THERE.includes(error.code);
}

/**
 * Reads each of these with one request.
 *
 * @throws ModbusException, LinkDown as the bus does
 */
export async function readSpans(
  bus: ModbusBus,
  unitId: number,
  spans: readonly RegisterSpan[],
): Promise<RegisterValues> {
  const frame = new Map<number, number>();
  for (const span of spans) await readInto(frame, bus, unitId, span);
  return frame;
}

async function readInto(
  frame: Map<number, number>,
  bus: ModbusBus,
  unitId: number,
  { address, count }: RegisterSpan,
): Promise<void> {
  const values = await readAt(bus, unitId, address, count);
  for (const [index, value] of values.entries()) frame.set(address + index, value);
}

/** After so many requests in a row without an answer the unit is gone, and the rest is not requested. */
const MAX_FAILURES_IN_A_ROW = 2;

/** Of a new unit every value is found that fewer than eight others without a register hide. */
const MAX_REFUSALS_IN_A_ROW = 16;

/** A known unit that refuses a block and both of its halves refuses everything for a moment: its block stays whole. */
const REFUSALS_OF_EVERYTHING = 3;

/** Values that no block of the unit holds. */
const APART: ReadLimits = { maxRead: 125, maxGap: 0 };

/** Reads registers of one unit, many with one request. */
export class RegisterReader {
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #repeatsRefused: boolean;
  readonly #silentWhereAbsent: ReadonlySet<number>;
  #blocks: readonly RegisterBlock[];

  /** @param wanted the values that are needed */
  constructor(bus: ModbusBus, unitId: number, wanted: Iterable<RegisterSpan>, limits: ReadLimits) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#repeatsRefused = limits.repeatsRefused ?? false;
    this.#silentWhereAbsent = limits.silentWhereAbsent ?? new Set();
    this.#blocks = planBlocks(wanted, limits);
  }

  /**
   * Finds out which of the registers there are: a block that is refused is read in as few parts as are answered from then
   * on, and what is still refused is not requested again.
   *
   * @throws LinkDown unless every request was answered, but for those to registers that may keep silent
   */
  async explore(): Promise<RegisterValues> {
    const frame = new Map<number, number>();
    const readable: RegisterBlock[] = [];
    try {
      for (const block of this.#blocks) {
        const isAnswered = await this.#isAnsweredOrSilent(block, frame);
        if (isAnswered === true) readable.push(block);
        else if (isAnswered === false) {
          const rules = { maxRefusals: MAX_REFUSALS_IN_A_ROW, keepsRefused: this.#repeatsRefused };
          readable.push(...(await this.#joined(await this.#answeredParts(block, frame, rules), frame)));
        }
      }
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error;
      throw new LinkDown(`${this.#bus.name}: unit ${this.#unitId}: ${error.message}`, { cause: error });
    }
    this.#blocks = readable;
    return frame;
  }

  /**
   * Reads everything once. A block that is refused or gets no good answer is missing from the frame; of a block that is
   * refused and has a part that is not, that part is read.
   *
   * @throws LinkDown when nothing was answered
   */
  async read(): Promise<RegisterValues> {
    const frame = new Map<number, number>();
    const blocks = [...this.#blocks];
    let failure: unknown;
    let failures = 0;
    for (const block of this.#blocks) {
      try {
        if (!(await this.#isAnswered(block, frame))) {
          const rules = { maxRefusals: REFUSALS_OF_EVERYTHING, keepsRefused: true };
          blocks.splice(blocks.indexOf(block), 1, ...(await this.#answeredParts(block, frame, rules)));
        }
        failures = 0;
      } catch (error) {
        if (error instanceof ModbusException) continue;
        if (!(error instanceof LinkDown)) throw error;
        failure ??= error;
        failures += 1;
        if (failures === MAX_FAILURES_IN_A_ROW) break;
      }
    }
    this.#blocks = blocks;
    if (frame.size === 0 && failure !== undefined) throw failure;
    return frame;
  }

  /** As few requests as these values take: those of one block, which the unit answers as a whole, share one. */
  requestsFor(spans: readonly RegisterSpan[]): readonly RegisterSpan[] {
    const groups = Map.groupBy(spans, (span) => this.#blocks.find((block) => holds(extentOf(block), span)));
    return [...groups].flatMap(([block, group]) =>
      block === undefined ? planBlocks(group, APART).map(extentOf) : [extentOf(group)],
    );
  }

  /** @throws ModbusException, LinkDown when the unit cannot answer now */
  async #isAnswered(block: RegisterBlock, frame: Map<number, number>): Promise<boolean> {
    try {
      await readInto(frame, this.#bus, this.#unitId, extentOf(block));
      return true;
    } catch (error) {
      if (isNoSuchRegister(error)) return false;
      throw error;
    }
  }

  /** @returns undefined when the unit keeps silent to registers to which it may, and so does not have them */
  async #isAnsweredOrSilent(block: RegisterBlock, frame: Map<number, number>): Promise<boolean | undefined> {
    try {
      return await this.#isAnswered(block, frame);
    } catch (error) {
      const mayBeSilent = block.flatMap(addressesOf).every((address) => this.#silentWhereAbsent.has(address));
      if (error instanceof LinkDown && mayBeSilent) return undefined;
      throw error;
    }
  }

  /**
   * The parts of a refused block that are read from now on, the largest ones looked for first.
   *
   * @param maxRefusals after so many refusals in a row the rest is not there either
   * @param keepsRefused whether refused parts are requested again
   */
  async #answeredParts(
    refused: RegisterBlock,
    frame: Map<number, number>,
    { maxRefusals, keepsRefused }: { readonly maxRefusals: number; readonly keepsRefused: boolean },
  ): Promise<readonly RegisterBlock[]> {
    const answered: RegisterBlock[] = [];
    const left: RegisterBlock[] = [];
    const parts = [...partsOf(refused)];
    let refusals = 1;
    for (const part of parts) {
      if (refusals === maxRefusals) left.push(part);
      else if (await this.#isAnswered(part, frame)) {
        answered.push(part);
        refusals = 0;
      } else {
        refusals += 1;
        const smaller = partsOf(part);
        if (smaller.length === 0) left.push(part);
        parts.push(...smaller);
      }
    }
    if (answered.length === 0) return keepsRefused ? [refused] : [];
    const read = keepsRefused ? [...answered, ...left] : answered;
    return read.toSorted((one, other) => extentOf(one).address - extentOf(other).address);
  }

  /** Parts of a block that were divided without need: neighbours that are answered together. */
  async #joined(
    parts: readonly RegisterBlock[],
    frame: Map<number, number>,
  ): Promise<readonly RegisterBlock[]> {
    const joined: RegisterBlock[] = [];
    for (const part of parts) {
      const before = joined.at(-1);
      const together = before === undefined || !areNeighbours(before, part) ? [] : [...before, ...part];
      if (together.length > 0 && (await this.#isAnswered(together, frame))) joined.splice(-1, 1, together);
      else joined.push(part);
    }
    return joined;
  }
}

function holds(extent: RegisterSpan, { address, count }: RegisterSpan): boolean {
  return address >= extent.address && address + count <= extent.address + extent.count;
}

function areNeighbours(one: RegisterBlock, next: RegisterBlock): boolean {
  const { address, count } = extentOf(one);
  return address + count === extentOf(next).address;
}

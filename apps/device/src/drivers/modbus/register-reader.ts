import { LinkDown } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import type { RegisterValues } from '../registers.ts';
import { readAt, tableOf } from './register-address.ts';

/** Registers that are read with one request. */
interface RegisterBlock {
  readonly address: number;
  readonly count: number;
}

/** Within what a family's hardware answers. */
export interface ReadLimits {
  /** Registers that it answers at once, at most. */
  readonly maxRead: number;
  /** How many registers between two wanted ones are read along rather than left out with another request. */
  readonly maxGap: number;
  /** Registers to which some of the hardware keeps silent instead of refusing them. */
  readonly silentWhereAbsent?: ReadonlySet<number>;
}

/**
 * Plans as few requests as it takes to read these registers.
 *
 * @param registers addresses as `addressIn` makes them
 */
export function planBlocks(
  registers: Iterable<number>,
  { maxRead, maxGap }: ReadLimits,
): readonly RegisterBlock[] {
  const blocks: { address: number; count: number }[] = [];
  for (const register of [...new Set(registers)].sort((a, b) => a - b)) {
    const block = blocks.at(-1);
    const joins =
      block !== undefined &&
      tableOf(block.address) === tableOf(register) &&
      register - (block.address + block.count) <= maxGap &&
      register - block.address < maxRead;
    if (joins) block.count = register - block.address + 1;
    else blocks.push({ address: register, count: 1 });
  }
  return blocks;
}

/** Exceptions that mean "no such registers" rather than "cannot answer now". */
const NOT_THERE: readonly number[] = [1, 2, 3];

/** After so many requests in a row without an answer the unit is gone, and the rest is not requested. */
const MAX_FAILURES_IN_A_ROW = 2;

/** Reads registers, many with one request. */
export class RegisterReader {
  readonly #bus: ModbusBus;
  readonly #unitId: number;
  readonly #wanted: ReadonlySet<number>;
  readonly #limits: ReadLimits;
  #blocks: readonly RegisterBlock[];

  /** @param registers the addresses that are needed */
  constructor(bus: ModbusBus, unitId: number, registers: Iterable<number>, limits: ReadLimits) {
    this.#bus = bus;
    this.#unitId = unitId;
    this.#wanted = new Set(registers);
    this.#limits = limits;
    this.#blocks = planBlocks(this.#wanted, limits);
  }

  /**
   * Finds out which of the registers there are: a block that is refused is read without its gaps from then on,
   * and registers that are still refused are not requested again.
   *
   * @throws LinkDown unless every request was answered, but for those to registers that may keep silent
   */
  async explore(): Promise<RegisterValues> {
    const frame = new Map<number, number>();
    const readable: RegisterBlock[] = [];
    for (const block of this.#blocks) {
      if (await this.#has(block, frame)) readable.push(block);
      else for (const part of this.#withoutGaps(block)) if (await this.#has(part, frame)) readable.push(part);
    }
    this.#blocks = readable;
    return frame;
  }

  /**
   * Reads everything once. A block that is refused or gets no good answer is missing from the frame.
   *
   * @throws LinkDown when nothing was answered
   */
  async read(): Promise<RegisterValues> {
    const frame = new Map<number, number>();
    let failure: unknown;
    let failures = 0;
    for (const block of this.#blocks) {
      try {
        await this.#readInto(frame, block);
        failures = 0;
      } catch (error) {
        if (error instanceof ModbusException) continue;
        if (!(error instanceof LinkDown)) throw error;
        failure ??= error;
        failures += 1;
        if (failures === MAX_FAILURES_IN_A_ROW) break;
      }
    }
    if (frame.size === 0 && failure !== undefined) throw failure;
    return frame;
  }

  async #has(block: RegisterBlock, frame: Map<number, number>): Promise<boolean> {
    try {
      await this.#readInto(frame, block);
      return true;
    } catch (error) {
      if (error instanceof LinkDown && this.#mayBeSilent(block)) return false;
      if (!(error instanceof ModbusException)) throw error;
      if (NOT_THERE.includes(error.code)) return false;
      throw new LinkDown(`${this.#bus.name}: unit ${this.#unitId}: ${error.message}`, { cause: error });
    }
  }

  #mayBeSilent({ address, count }: RegisterBlock): boolean {
    const { silentWhereAbsent = new Set() } = this.#limits;
    const own = Array.from({ length: count }, (_, index) => address + index);
    return own.filter((register) => this.#wanted.has(register)).every((one) => silentWhereAbsent.has(one));
  }

  async #readInto(frame: Map<number, number>, { address, count }: RegisterBlock): Promise<void> {
    const values = await readAt(this.#bus, this.#unitId, address, count);
    for (const [index, value] of values.entries()) frame.set(address + index, value);
  }

  #withoutGaps({ address, count }: RegisterBlock): readonly RegisterBlock[] {
    const own = Array.from({ length: count }, (_, index) => address + index);
    const parts = planBlocks(
      own.filter((register) => this.#wanted.has(register)),
      { ...this.#limits, maxGap: 0 },
    );
    return parts.length === 1 && parts[0]?.count === count ? [] : parts;
  }
}

import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import type { RegisterValues } from '../registers.ts';
import { expectNoSuchRegisters, isAbsentError } from './absence.ts';
import { extentOf, halvesOf, planBlocks, type RegisterSpan, type SpanBlock } from './blocks.ts';
import { NEVER_ALL_ZERO, RANGES, type Service } from './services.ts';

/**
 * The registers of one service: `absent` when the GX does not have it now or has no values of it yet, undefined when no
 * good answer arrived.
 */
export type ServiceFrame = RegisterValues | 'absent' | undefined;

/** Reads the registers of one service behind one unit id. */
export class ServiceReader {
  readonly service: Service;
  readonly unitId: number;
  readonly #bus: ModbusBus;
  #blocks: readonly SpanBlock[];
  #explored = false;

  constructor(bus: ModbusBus, service: Service, unitId: number, wanted: readonly RegisterSpan[]) {
    this.#bus = bus;
    this.service = service;
    this.unitId = unitId;
    this.#blocks = planBlocks(wanted, RANGES[service]);
  }

  /**
   * Finds the values that exist: a block that is refused is requested in halves, down to a single value, which is not
   * requested again. A service that is absent is explored when it appears.
   *
   * @throws LinkDown unless every request was answered
   */
  async explore(): Promise<RegisterValues | 'absent'> {
    const frame = new Map<number, number>();
    const readable: SpanBlock[] = [];
    try {
      for (const block of this.#blocks) readable.push(...(await this.#readableParts(block, frame)));
    } catch (error) {
      if (isAbsentError(error)) return 'absent';
      throw error;
    }
    this.#blocks = readable;
    this.#explored = true;
    return this.#orAbsent(frame);
  }

  /**
   * Reads everything once; a block that is refused is missing.
   *
   * @throws LinkDown when a request gets no good answer
   */
  async read(): Promise<RegisterValues | 'absent'> {
    if (!this.#explored) return this.explore();
    const frame = new Map<number, number>();
    for (const block of this.#blocks) {
      try {
        await this.#readInto(frame, block);
      } catch (error) {
        if (isAbsentError(error)) return 'absent';
        if (!(error instanceof ModbusException)) throw error;
      }
    }
    return this.#orAbsent(frame);
  }

  #orAbsent(frame: RegisterValues): RegisterValues | 'absent' {
    const isAllZero = frame.size > 0 && [...frame.values()].every((word) => word === 0);
    return isAllZero && NEVER_ALL_ZERO.has(this.service) ? 'absent' : frame;
  }

  async #readableParts(block: SpanBlock, frame: Map<number, number>): Promise<readonly SpanBlock[]> {
    try {
      await this.#readInto(frame, block);
      return [block];
    } catch (error) {
      expectNoSuchRegisters(error);
    }
    const parts: SpanBlock[] = [];
    for (const half of halvesOf(block)) parts.push(...(await this.#readableParts(half, frame)));
    return parts;
  }

  async #readInto(frame: Map<number, number>, block: SpanBlock): Promise<void> {
    const { address, count } = extentOf(block);
    const values = await this.#bus.read(this.unitId, address, count);
    for (const [index, value] of values.entries()) frame.set(address + index, value);
  }
}

import type { ModbusBus } from '../../bus/modbus/modbus-bus.ts';
import { RegisterReader } from '../modbus/register-reader.ts';
import type { RegisterValues } from '../registers.ts';
import { isAbsentError } from './absence.ts';
import { gxSpansOf } from './service-rows.ts';
import { limitsOf, NEVER_ALL_ZERO, type Service } from './services.ts';

/**
 * The registers of one service: `absent` when the GX does not have it now or has no values of it yet, undefined when no
 * good answer arrived.
 */
export type ServiceFrame = RegisterValues | 'absent' | undefined;

/** Reads the registers of one service behind one unit id. */
export class ServiceReader {
  readonly service: Service;
  readonly #reader: RegisterReader;
  #explored = false;

  constructor(bus: ModbusBus, service: Service, unitId: number) {
    this.service = service;
    this.#reader = new RegisterReader(bus, unitId, gxSpansOf(service), limitsOf(service));
  }

  /**
   * Finds out which registers there are, and reads them. A service that is absent is explored when it appears.
   *
   * @throws LinkDown unless every request was answered
   */
  async explore(): Promise<RegisterValues | 'absent'> {
    const frame = await orAbsent(() => this.#reader.explore());
    this.#explored = frame !== 'absent';
    return this.#absentWhileUnreported(frame);
  }

  /**
   * Reads everything once; a block that is refused or gets no good answer is missing.
   *
   * @throws LinkDown when nothing was answered
   */
  async read(): Promise<RegisterValues | 'absent'> {
    if (!this.#explored) return this.explore();
    return this.#absentWhileUnreported(await orAbsent(() => this.#reader.read()));
  }

  #absentWhileUnreported(frame: RegisterValues | 'absent'): RegisterValues | 'absent' {
    if (frame === 'absent' || !NEVER_ALL_ZERO.has(this.service)) return frame;
    return frame.size > 0 && [...frame.values()].every((word) => word === 0) ? 'absent' : frame;
  }
}

async function orAbsent(read: () => Promise<RegisterValues>): Promise<RegisterValues | 'absent'> {
  try {
    return await read();
  } catch (error) {
    if (isAbsentError(error)) return 'absent';
    throw error;
  }
}

import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus-bus.ts';
import { expectNoSuchRegisters, saysAbsent } from './refusals.ts';
import { ASKED_REGISTER, type DeviceService } from './services.ts';

/** Where a device may be. */
export interface Place {
  readonly service: DeviceService;
  readonly unitId: number;
}

/**
 * Whether there is a device, whatever it says.
 *
 * @throws LinkDown when the GX cannot answer now
 */
export async function answersAt(bus: ModbusBus, { service, unitId }: Place): Promise<boolean> {
  try {
    await bus.read(unitId, ASKED_REGISTER[service], 1);
    return true;
  } catch (error) {
    if (!saysAbsent(error)) expectNoSuchRegisters(error);
    return false;
  }
}

/** Watches out for devices that come where there was none, with one request a poll. */
export class Lookout {
  readonly #bus: ModbusBus;
  readonly #vacant: readonly Place[];
  #turn = 0;
  #cameOne = false;

  constructor(bus: ModbusBus, vacant: readonly Place[]) {
    this.#bus = bus;
    this.#vacant = vacant;
  }

  /** Whether one has come; nothing is asked any more then. */
  get cameOne(): boolean {
    return this.#cameOne;
  }

  async look(): Promise<void> {
    const place = this.#vacant[this.#turn % this.#vacant.length];
    if (place === undefined || this.#cameOne) return;
    this.#turn += 1;
    try {
      this.#cameOne = await answersAt(this.#bus, place);
    } catch (error) {
      // A turn that got no answer is over: what is known was read, and there is another turn.
      if (!(error instanceof LinkDown)) throw error;
    }
  }
}

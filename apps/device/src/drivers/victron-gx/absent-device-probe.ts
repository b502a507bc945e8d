import { LinkDown } from '../../bus/failures.ts';
import type { ModbusBus } from '../../bus/modbus-bus.ts';
import { expectNoSuchRegisters, isAbsentError } from './refusals.ts';
import { type DeviceService, PROBE_REGISTER } from './services.ts';

/** Where a device may be. */
export interface ServiceAddress {
  readonly service: DeviceService;
  readonly unitId: number;
}

/**
 * Whether there is a device, whatever it says.
 *
 * @throws LinkDown when the GX cannot answer now
 */
export async function isDevicePresent(bus: ModbusBus, { service, unitId }: ServiceAddress): Promise<boolean> {
  try {
    await bus.read(unitId, PROBE_REGISTER[service], 1);
    return true;
  } catch (error) {
    if (!isAbsentError(error)) expectNoSuchRegisters(error);
    return false;
  }
}

/** Watches out for devices that come where there was none, with one request a poll. */
export class AbsentDeviceProbe {
  readonly #bus: ModbusBus;
  readonly #vacant: readonly ServiceAddress[];
  #turn = 0;
  #found = false;

  constructor(bus: ModbusBus, vacant: readonly ServiceAddress[]) {
    this.#bus = bus;
    this.#vacant = vacant;
  }

  /** Whether one has come; nothing is asked any more then. */
  get found(): boolean {
    return this.#found;
  }

  async probeNext(): Promise<void> {
    const place = this.#vacant[this.#turn % this.#vacant.length];
    if (place === undefined || this.#found) return;
    this.#turn += 1;
    try {
      this.#found = await isDevicePresent(this.#bus, place);
    } catch (error) {
      // A turn that got no answer is over: what is known was read, and there is another turn.
      if (!(error instanceof LinkDown)) throw error;
    }
  }
}

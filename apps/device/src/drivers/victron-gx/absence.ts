import { LinkDown } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus-bus.ts';
import { type DeviceService, PROBE_REGISTER } from './services.ts';

/** A GX answers these for a service that is not behind a unit id (10), and for a unit id that it does not know (11). */
const NOT_BEHIND_THIS_UNIT: readonly number[] = [10, 11];

/** Exceptions by which it says that it has no such registers, as one with older firmware does. */
const NO_SUCH_REGISTERS: readonly number[] = [1, 2, 3];

/** Whether a GX said that the device is not there; the bus takes such answers for a gateway's. */
export function isAbsentError(error: unknown): boolean {
  const said = error instanceof LinkDown ? error.cause : error;
  return said instanceof ModbusException && NOT_BEHIND_THIS_UNIT.includes(said.code);
}

/**
 * Lets through only what says that there are no such registers.
 *
 * @throws LinkDown when the GX cannot answer now; anything else as it is
 */
export function expectNoSuchRegisters(error: unknown): void {
  if (!(error instanceof ModbusException)) throw error;
  if (!NO_SUCH_REGISTERS.includes(error.code)) throw new LinkDown(error.message, { cause: error });
}

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

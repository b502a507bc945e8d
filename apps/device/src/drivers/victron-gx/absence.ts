import { LinkDown } from '../../bus/failures.ts';
import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import { isNoSuchRegister } from '../modbus/register-reader.ts';
import { type DeviceService, PROBE_REGISTER } from './services.ts';

/** Exceptions of a GX for a service that is not behind a unit id (10), and for an unknown unit id (11). */
const NOT_BEHIND_THIS_UNIT: readonly number[] = [10, 11];

/** Whether an error means that the device is absent; the bus maps such answers to those of a gateway. */
export function isAbsentError(error: unknown): boolean {
  const exception = error instanceof LinkDown ? error.cause : error;
  return exception instanceof ModbusException && NOT_BEHIND_THIS_UNIT.includes(exception.code);
}

/** The service and unit id of a device that may exist. */
export interface ServiceAddress {
  readonly service: DeviceService;
  readonly unitId: number;
}

/**
 * Whether a device answers, even with an exception for the register.
 *
 * @throws LinkDown when the GX cannot answer now
 */
export async function isDevicePresent(bus: ModbusBus, { service, unitId }: ServiceAddress): Promise<boolean> {
  try {
    await bus.read(unitId, PROBE_REGISTER[service], 1);
    return true;
  } catch (error) {
    if (isAbsentError(error) || isNoSuchRegister(error)) return false;
    if (!(error instanceof ModbusException)) throw error;
    throw new LinkDown(error.message, { cause: error });
  }
}

/** Looks for devices that were absent when the GX was opened, with one request a poll. */
export class AbsentDeviceProbe {
  readonly #bus: ModbusBus;
  readonly #vacant: readonly ServiceAddress[];
  #turn = 0;
  #found = false;

  constructor(bus: ModbusBus, vacant: readonly ServiceAddress[]) {
    this.#bus = bus;
    this.#vacant = vacant;
  }

  /** Whether a device was found; the probe then stops. */
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
      // A probe without an answer is repeated in a later turn; the poll itself succeeded.
      if (!(error instanceof LinkDown)) throw error;
    }
  }
}

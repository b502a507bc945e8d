import { LinkDown } from '../../bus/failures.ts';
import { ModbusException } from '../../bus/modbus-bus.ts';

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

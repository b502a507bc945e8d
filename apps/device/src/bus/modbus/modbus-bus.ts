import type { Bus, SendOptions } from '../bus.ts';

/**
 * One Modbus connection (a TCP socket, a serial line) and every unit behind it. Requests on a bus are made
 * one at a time; buses never wait for each other.
 */
export interface ModbusBus extends Bus {
  /**
   * Reads registers.
   *
   * @param unitId Modbus unit (slave) id, 1 to 247; 0 and 255 are used by some gateways
   * @param address zero-based register address
   * @param count registers, 1 to 125
   * @param table the holding registers when left out
   * @throws ModbusException when the unit refuses, LinkDown when it cannot be reached or stays silent
   */
  read(unitId: number, address: number, count: number, table?: RegisterTable): Promise<readonly number[]>;

  /**
   * Writes holding registers (function 6 for one, 16 for several, unless `options` forces 16). Never repeated by the bus,
   * but for one register whose function the unit does not know (exception 1, which nothing follows): it is sent once more
   * with the other, which the bus then keeps for that unit, also over its next connections.
   *
   * @returns the content that the unit names in its answer; undefined where it names none, as after function 16
   * @throws ModbusException when the unit refuses: nothing changed, unless `mayBeCarriedOut`
   * @throws LinkDown when nothing was sent: nothing changed
   * @throws WriteUnanswered when it was sent and no answer shows the outcome (exceptions 5, 10 and 11 neither)
   */
  write(
    unitId: number,
    address: number,
    values: readonly number[],
    options?: WriteOptions,
  ): Promise<number | undefined>;
}

/** Holding registers are read with function 3, input registers with function 4. */
export type RegisterTable = 'holding' | 'input';

export interface WriteOptions extends SendOptions {
  /** Function 16 first for a single register too, for hardware that does not know function 6. */
  readonly alwaysMultiple?: boolean;
}

/** The unit answered, and refused. */
export class ModbusException extends Error {
  override readonly name = 'ModbusException';
  /** Exception code of the Modbus application protocol, section 7: 1 function, 2 address, 3 value, 4 failure. */
  readonly code: number;

  /** Whether the code leaves open that a write was carried out, as a failure while doing it does, or a busy unit. */
  get mayBeCarriedOut(): boolean {
    return !REFUSALS.includes(this.code) && this.code < FIRST_OF_MAKERS;
  }

  /** Whether the unit does not know the request's function, and so has not looked at its content. */
  get isUnknownFunction(): boolean {
    return this.code === UNKNOWN_FUNCTION;
  }

  constructor(code: number, message = EXCEPTIONS[code] ?? `Modbus exception ${code}`) {
    super(message);
    this.code = code;
  }
}

/** A gateway's own refusal of a request that it passed on to no unit. */
export class NotForwarded extends ModbusException {
  constructor(message: string) {
    super(NO_PATH, message);
  }
}

const UNKNOWN_FUNCTION = 1;
const NO_PATH = 10;
/** Function, address and value, which units check before they do anything, and a gateway without a path. */
const REFUSALS: readonly number[] = [1, 2, 3, NO_PATH];
/** Codes from here on are of makers, and refuse. */
const FIRST_OF_MAKERS = 0x80;

const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'the unit does not know this function',
  2: 'the unit has no such register',
  3: 'the unit refuses this value',
  4: 'the unit failed to carry out the request',
  5: 'the unit needs more time',
  6: 'the unit is busy',
  10: 'the gateway has no path to the unit',
  11: 'the unit behind the gateway does not answer',
  // Of Huawei: no permission.
  128: "the unit gives no permission: log in as the installer, or allow the SDongle's write access",
};

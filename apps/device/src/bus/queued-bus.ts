import type { Clock } from '@heliograph/kit';
import type { Traffic } from './bus.ts';
import { ConnectionQueue, type Dial } from './connection-queue.ts';
import { type ModbusBus, ModbusException, type WriteOptions } from './modbus-bus.ts';
import type { ModbusLink } from './modbus-link.ts';

/** Exception codes by which a gateway or a slow unit says something other than "refused". */
const ACKNOWLEDGED = 5;
const NO_PATH = 10;
const NO_ANSWER_BEHIND_GATEWAY = 11;

/** A Modbus bus that makes its requests one after the other. */
export class QueuedBus implements ModbusBus {
  readonly #queue: ConnectionQueue<ModbusLink>;

  constructor(name: string, dial: Dial<ModbusLink>, clock: Clock) {
    this.#queue = new ConnectionQueue(name, dial, clock);
  }

  get name(): string {
    return this.#queue.name;
  }

  get traffic(): Traffic {
    return this.#queue.traffic;
  }

  get roundTripMs(): number | null {
    return this.#queue.roundTripMs;
  }

  async read(unitId: number, address: number, count: number): Promise<readonly number[]> {
    try {
      return await this.#queue.ask((link, gate) => link.read(unitId, address, count, gate));
    } catch (error) {
      throw says(error, NO_PATH, NO_ANSWER_BEHIND_GATEWAY) ? this.#queue.down(error) : error;
    }
  }

  async write(
    unitId: number,
    address: number,
    values: readonly number[],
    { signal, alwaysMultiple = false }: WriteOptions = {},
  ): Promise<void> {
    const multiple = alwaysMultiple || values.length > 1;
    try {
      await this.#queue.tell((link, gate) => link.write(unitId, address, values, multiple, gate), signal);
    } catch (error) {
      if (says(error, NO_PATH)) throw this.#queue.down(error);
      throw says(error, NO_ANSWER_BEHIND_GATEWAY, ACKNOWLEDGED) ? this.#queue.unanswered(error) : error;
    }
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

function says(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof ModbusException && codes.includes(error.code);
}

import type { Clock } from '@heliograph/kit';
import type { SendOptions, Traffic } from '../bus.ts';
import { ConnectionQueue, type Dial, type LinkRequest } from '../connection-queue.ts';
import type { FrameLink } from '../frame-link.ts';
import type { Gate, Link } from '../link.ts';
import type { ModbusFraming } from './framing/framing.ts';
import {
  type ModbusBus,
  ModbusException,
  NotForwarded,
  type RegisterTable,
  type WriteOptions,
} from './modbus-bus.ts';
import { type ModbusPdu, readPdu, refusalCode, registersOf, takenIn, writePdu } from './modbus-pdu.ts';

/** Exception codes by which a gateway or a slow unit reports something other than "refused". */
const ACKNOWLEDGED = 5;
const NO_PATH = 10;
const NO_ANSWER_BEHIND_GATEWAY = 11;

/** `single`: function 6; `multiple`: function 16, which writes one register or several. */
type WriteFunction = 'single' | 'multiple';

/** A Modbus bus that makes its requests one after the other. */
export class ModbusClient implements ModbusBus {
  readonly #queue: ConnectionQueue<ModbusLink>;
  /** By unit, the function that it took instead of another, over whatever connection. */
  readonly #functions = new Map<number, WriteFunction>();

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

  get closesAfterAnswers(): boolean {
    return this.#queue.closesAfterAnswers;
  }

  async read(
    unitId: number,
    address: number,
    count: number,
    table: RegisterTable = 'holding',
  ): Promise<readonly number[]> {
    try {
      return await this.#queue.read((link, gate) => link.read(unitId, address, count, table, gate));
    } catch (error) {
      throw hasCode(error, NO_PATH, NO_ANSWER_BEHIND_GATEWAY) ? this.#queue.down(error) : error;
    }
  }

  async write(
    unitId: number,
    address: number,
    values: readonly number[],
    { alwaysMultiple = false, ...options }: WriteOptions = {},
  ): Promise<number | undefined> {
    const usual: WriteFunction = alwaysMultiple || values.length > 1 ? 'multiple' : 'single';
    let used = usual;
    try {
      return await this.#send(async (link, gate) => {
        used = values.length > 1 ? usual : (this.#functions.get(unitId) ?? usual);
        return link.write(unitId, address, values, used, gate);
      }, options);
    } catch (error) {
      const isUnknownFunction = error instanceof ModbusException && error.isUnknownFunction;
      if (!isUnknownFunction || values.length > 1) throw error;
    }
    // A new turn: the connection may be lost by now, and the time of the write over.
    const other: WriteFunction = used === 'single' ? 'multiple' : 'single';
    return this.#send(async (link, gate) => {
      const taken = await link.write(unitId, address, values, other, gate);
      this.#functions.set(unitId, other);
      return taken;
    }, options);
  }

  /** @throws ModbusException, LinkDown, WriteUnanswered as a write does */
  async #send<T>(request: LinkRequest<ModbusLink, T>, options: SendOptions): Promise<T> {
    try {
      return await this.#queue.write(request, options);
    } catch (error) {
      if (error instanceof NotForwarded) throw this.#queue.down(error);
      const isUnanswered = hasCode(error, ACKNOWLEDGED, NO_PATH, NO_ANSWER_BEHIND_GATEWAY);
      throw isUnanswered ? this.#queue.unanswered(error) : error;
    }
  }

  close(): Promise<void> {
    return this.#queue.close();
  }
}

function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof ModbusException && codes.includes(error.code);
}

/** Modbus over one live connection, in the framing of its transport. */
export class ModbusLink implements Link {
  readonly #frames: FrameLink;
  readonly #framing: ModbusFraming;
  readonly #timeoutMs: number;

  /** @param timeoutMs how long an answer may take, in milliseconds */
  constructor(frames: FrameLink, framing: ModbusFraming, timeoutMs: number) {
    this.#frames = frames;
    this.#framing = framing;
    this.#timeoutMs = timeoutMs;
  }

  get alive(): boolean {
    return this.#frames.alive;
  }

  get released(): Promise<void> {
    return this.#frames.released;
  }

  get closedAfterAnswerMs(): number | undefined {
    return this.#frames.closedAfterAnswerMs;
  }

  drop(): void {
    this.#frames.drop();
  }

  /** @throws ModbusException when the unit refuses, LinkLost when no trustworthy answer came */
  async read(
    unitId: number,
    address: number,
    count: number,
    table: RegisterTable,
    gate: Gate,
  ): Promise<readonly number[]> {
    return registersOf(await this.#request(unitId, readPdu(address, count, table), gate));
  }

  /**
   * @returns the content that the answer names
   * @throws ModbusException when the unit refuses, LinkLost when no trustworthy answer came
   */
  async write(
    unitId: number,
    address: number,
    values: readonly number[],
    writeFunction: WriteFunction,
    gate: Gate,
  ): Promise<number | undefined> {
    const pdu = writePdu(address, values, writeFunction === 'multiple');
    return takenIn(await this.#request(unitId, pdu, gate));
  }

  async #request(unitId: number, pdu: ModbusPdu, gate: Gate): Promise<Uint8Array> {
    const { bytes, find, open, responseKey } = this.#framing.frame(unitId, pdu);
    const answer = { timeoutMs: this.#timeoutMs, find, responseKey };
    const peerName = `unit ${unitId}`;
    const response = open(await this.#frames.exchange({ request: bytes, answer, peerName }, gate));
    const code = refusalCode(response);
    if (code !== undefined) throw new ModbusException(code);
    return response;
  }
}

import type { FrameLink } from './frame-link.ts';
import type { ModbusFraming } from './framing/framing.ts';
import type { Gate, Link } from './link.ts';
import { ModbusException } from './modbus-bus.ts';
import { type ModbusPdu, readPdu, refusalCode, registersOf, writePdu } from './modbus-pdu.ts';

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

  drop(): void {
    this.#frames.drop();
  }

  /** @throws ModbusException when the unit refuses, LinkLost when no trustworthy answer came */
  async read(unitId: number, address: number, count: number, gate: Gate): Promise<readonly number[]> {
    return registersOf(await this.#request(unitId, readPdu(address, count), gate));
  }

  /**
   * @param multiple whether to use function 16, which can write several, rather than 6
   * @throws ModbusException when the unit refuses, LinkLost when no trustworthy answer came
   */
  async write(
    unitId: number,
    address: number,
    values: readonly number[],
    multiple: boolean,
    gate: Gate,
  ): Promise<void> {
    await this.#request(unitId, writePdu(address, values, multiple), gate);
  }

  async #request(unitId: number, pdu: ModbusPdu, gate: Gate): Promise<Uint8Array> {
    const { bytes, find, open, alike } = this.#framing.frame(unitId, pdu);
    const answer = { timeoutMs: this.#timeoutMs, find, alike };
    const whom = `unit ${unitId}`;
    const said = open(await this.#frames.exchange({ request: bytes, answer, whom }, gate));
    const code = refusalCode(said);
    if (code !== undefined) throw new ModbusException(code);
    return said;
  }
}

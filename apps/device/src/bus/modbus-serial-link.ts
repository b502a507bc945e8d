import type { Duplex } from 'node:stream';
import { messageOf } from '@heliograph/kit';
import type { ModbusRTU } from 'modbus-serial/ModbusRTU.js';
import { ModbusException } from './modbus-bus.ts';
import { LinkLost, type ModbusLink } from './modbus-link.ts';

/**
 * A connection spoken over by modbus-serial, whichever framing the client was linked with.
 *
 * The library leaves three things to its user, which are done here: it never fails a request whose stream has
 * closed, it goes on after a timeout with answers of the past still to come, and it does not compare what a
 * unit echoes with what was written. So the stream's end fails the request at once, a deadline or an answer
 * that makes no sense ends the connection, and echoes are checked.
 */
export class ModbusSerialLink implements ModbusLink {
  readonly #client: ModbusRTU;
  readonly #stream: Duplex;
  readonly #requestTimeoutMs: number;
  #lost: LinkLost | undefined;
  #failRequest: ((reason: LinkLost) => void) | undefined;

  /** @param client linked with `stream`, without a timeout of its own */
  constructor(client: ModbusRTU, stream: Duplex, requestTimeoutMs: number) {
    this.#client = client;
    this.#stream = stream;
    this.#requestTimeoutMs = requestTimeoutMs;
    stream.once('close', () => this.#lose(new LinkLost('closed', 'the connection was closed')));
  }

  get alive(): boolean {
    return this.#lost === undefined && !this.#stream.destroyed;
  }

  async read(unitId: number, address: number, count: number): Promise<readonly number[]> {
    const { data } = await this.#request(unitId, () => this.#client.readHoldingRegisters(address, count));
    if (data.length !== count) throw this.#garbled(`${data.length} registers came instead of ${count}`);
    return data;
  }

  async write(unitId: number, address: number, values: readonly number[], multiple: boolean): Promise<void> {
    const [only] = values;
    if (only === undefined) return;
    if (!multiple) {
      const echo = await this.#request(unitId, () => this.#client.writeRegister(address, only));
      if (echo.address === address && echo.value === only) return;
    } else {
      const echo = await this.#request(unitId, () => this.#client.writeRegisters(address, [...values]));
      if (echo.address === address && echo.length === values.length) return;
    }
    throw this.#garbled('the answer was to another write');
  }

  drop(): void {
    this.#lose(new LinkLost('closed', 'the connection was closed here'));
  }

  async #request<T>(unitId: number, send: () => Promise<T>): Promise<T> {
    if (!this.alive) throw this.#lost ?? new LinkLost('closed', 'the connection was closed');
    const { promise: lost, reject } = Promise.withResolvers<never>();
    this.#failRequest = reject;
    const ms = this.#requestTimeoutMs;
    const deadline = setTimeout(
      () => this.#lose(new LinkLost('silent', `unit ${unitId} did not answer within ${ms} ms`)),
      ms,
    );
    this.#client.setID(unitId);
    try {
      return await Promise.race([send(), lost]);
    } catch (error) {
      if (error instanceof LinkLost) throw error;
      const code = exceptionCode(error);
      throw code === undefined ? this.#garbled(messageOf(error)) : new ModbusException(code);
    } finally {
      clearTimeout(deadline);
      this.#failRequest = undefined;
    }
  }

  #garbled(detail: string): LinkLost {
    const reason = new LinkLost('garbled', `the answer makes no sense: ${detail}`);
    this.#lose(reason);
    return reason;
  }

  #lose(reason: LinkLost): void {
    this.#lost ??= reason;
    this.#stream.destroy();
    this.#failRequest?.(reason);
  }
}

function exceptionCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('modbusCode' in error)) return undefined;
  return typeof error.modbusCode === 'number' ? error.modbusCode : undefined;
}

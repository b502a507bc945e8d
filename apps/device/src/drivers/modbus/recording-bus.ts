import { crc16Modbus } from '../../bus/crc16.ts';
import type { ModbusBus, RegisterTable, WriteOptions } from '../../bus/modbus/modbus-bus.ts';
import type { RecordedExchange } from '../recording.ts';

interface Exchange {
  readonly unitId: number;
  readonly table: RegisterTable;
  readonly address: number;
  readonly values: readonly number[];
}

/** A smaller number may be a measurement. */
const SMALLEST_SERIAL_NUMBER = 0x1_0000;
const NO_NUMBER = 0xffff_ffff;
const NO_BYTE = 0xff;
const REGISTER_BYTES = 2;

const READ: Readonly<Record<RegisterTable, number>> = { holding: 3, input: 4 };

/** A bus that keeps what was read over it, and refuses writes. */
export class RecordingBus implements ModbusBus {
  readonly #bus: ModbusBus;
  readonly #exchanges = new Map<string, Exchange>();

  constructor(bus: ModbusBus) {
    this.#bus = bus;
  }

  get name(): string {
    return this.#bus.name;
  }

  get traffic() {
    return this.#bus.traffic;
  }

  get roundTripMs(): number | null {
    return this.#bus.roundTripMs;
  }

  get closesAfterAnswers(): boolean {
    return this.#bus.closesAfterAnswers;
  }

  async read(
    unitId: number,
    address: number,
    count: number,
    table: RegisterTable = 'holding',
  ): Promise<readonly number[]> {
    const values = await this.#bus.read(unitId, address, count, table);
    const key = [unitId, table, address, count].join(' ');
    this.#exchanges.delete(key);
    this.#exchanges.set(key, { unitId, table, address, values });
    return values;
  }

  async write(
    _unitId: number,
    _address: number,
    _values: readonly number[],
    _options?: WriteOptions,
  ): Promise<never> {
    throw new Error('a recording writes nothing');
  }

  close(): Promise<void> {
    return this.#bus.close();
  }

  /**
   * The last answer to each request, as Modbus RTU frames.
   *
   * @param secrets texts that are replaced by `X` where registers hold them; where two hold one as a number, by no value
   */
  recorded(secrets: readonly string[] = []): readonly RecordedExchange[] {
    return [...this.#exchanges.values()].map(({ unitId, table, address, values }) => {
      const request = Buffer.alloc(6);
      request.writeUInt8(unitId, 0);
      request.writeUInt8(READ[table], 1);
      request.writeUInt16BE(address, 2);
      request.writeUInt16BE(values.length, 4);
      const data = Buffer.alloc(values.length * 2);
      for (const [index, value] of values.entries()) data.writeUInt16BE(value, index * 2);
      const head = Buffer.from([unitId, READ[table], data.length]);
      return {
        request_hex: withCrc(request),
        response_hex: withCrc(Buffer.concat([head, masked(data, secrets)])),
      };
    });
  }
}

/** Every occurrence, also of the words of a number in the other order. */
function masked(data: Buffer, secrets: readonly string[]): Buffer {
  for (const secret of secrets) {
    // Some hardware has one character a register.
    for (const text of [secret, [...secret].map((letter) => `\0${letter}`).join('')]) {
      replaceAll(data, Buffer.from(text, 'latin1'), Buffer.from(text.replaceAll(/[^\0]/g, 'X'), 'latin1'), 1);
    }
    const number = /^\d+$/.test(secret) ? Number(secret) : 0;
    if (number < SMALLEST_SERIAL_NUMBER || number > NO_NUMBER) continue;
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    const otherOrder = Buffer.concat([bytes.subarray(2), bytes.subarray(0, 2)]);
    for (const content of [bytes, otherOrder]) {
      replaceAll(data, content, Buffer.alloc(content.length, NO_BYTE), REGISTER_BYTES);
    }
  }
  return data;
}

/** @param step at which places it may stand: at every byte, or where registers begin */
function replaceAll(data: Buffer, secret: Buffer, replacement: Buffer, step: number): void {
  for (let at = data.indexOf(secret); at >= 0; at = data.indexOf(secret, at + 1)) {
    if (at % step === 0) replacement.copy(data, at);
  }
}

function withCrc(frame: Buffer): string {
  const crc = crc16Modbus(frame);
  return Buffer.concat([frame, Buffer.from([crc & 0xff, crc >>> 8])]).toString('hex');
}

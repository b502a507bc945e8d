/**
 * Frames between a client and its hardware, recorded so that they can be decoded elsewhere. Bytes are written in
 * hexadecimal, or as text where the protocol is text.
 */
export interface Recording {
  readonly id?: string;
  /** Which protocol was spoken, such as `sunspec` or `voltronic_pi30`. */
  readonly protocol: string;
  /** The driver to decode with, where several speak the protocol: such as `growatt-sph`. */
  readonly variant?: string;
  readonly device?: string;
  readonly transport?: string;

  readonly request?: RecordedFrame;

  readonly response?: RecordedFrame;
  /** Several requests with their answers. */
  readonly exchanges?: readonly RecordedExchange[];
  /** Holding registers by decimal address, for registers that were logged without their frames. */
  readonly registers?: Readonly<Record<string, number>>;
  /** SunSpec: the model of the bytes. */
  readonly model?: number;
  /** SunSpec: the address of the first register in `response`, where there is no request. */
  readonly first_register?: number;
  /** SunSpec: present when `response` is register contents without a Modbus frame. */
  readonly response_is?: string;
}

export interface RecordedFrame {
  readonly hex?: string;
  readonly ascii?: string;
  /** Lines as a terminal shows them. */
  readonly text?: string;
  /** A Modbus RTU frame. */
  readonly modbus_rtu_hex?: string;
  /** The same wrapped by a Solarman logger. */
  readonly solarman_v5_hex?: string;
  /** The request on RS485 for an answer that arrived on another port. */
  readonly rs485_hex?: string;
}

/** Either shape occurs: frames in hexadecimal, or text frames as they are. */
export interface RecordedExchange {
  readonly request_hex?: string;
  readonly response_hex?: string;
  readonly request?: string;
  readonly response?: string;
}

/**
 * Registers that were logged without their frames, as numbers.
 *
 * @throws BadRecording when one is no address or no register's value
 */
export function loggedRegisters({ registers = {} }: Recording): readonly (readonly [number, number])[] {
  return Object.entries(registers).map(([address, value]) => [addressOf(address), registerValue(value)]);
}

function addressOf(text: string): number {
  const address = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(address <= 0xffff)) throw new BadRecording(`${text} is no register address`);
  return address;
}

function registerValue(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= 0xffff) return value;
  throw new BadRecording(`${value} is no register's value`);
}

/** The recording cannot be decoded; the message gives the reason in plain words. */
export class BadRecording extends Error {
  override readonly name = 'BadRecording';
}

import { COMMAND, encodeHex, type HexFrame, registerAnswer, registerFrame } from '@heliograph/device/victron';

const OK = 0;
const UNKNOWN_REGISTER = 1;
const NOT_SUPPORTED = 2;
const BAD_VALUE = 4;

export interface HexRegister {
  readonly bytes: 1 | 2 | 4;
  /** The number that it holds now; negative numbers are sent as two's complement. */
  readonly read: () => number;
  /** Takes a number, or returns false to refuse it; absent: read only. */
  readonly write?: (value: number) => boolean;
}

/** Answers HEX frames as a device does that has these registers. */
export function answerHex(
  frame: HexFrame,
  productId: number,
  registers: ReadonlyMap<number, HexRegister>,
): Uint8Array | undefined {
  switch (frame.command) {
    case COMMAND.ping:
      return encodeHex(COMMAND.pong, [0x16, 0x41]);
    case COMMAND.productId:
      return encodeHex(COMMAND.done, [productId & 0xff, productId >> 8]);
    case COMMAND.get:
    case COMMAND.set:
      return answerRegister(frame, registers);
    default:
      return undefined;
  }
}

function answerRegister(
  frame: HexFrame,
  registers: ReadonlyMap<number, HexRegister>,
): Uint8Array | undefined {
  const requested = registerAnswer(frame);
  if (requested === undefined) return undefined;
  const { id, value } = requested;
  const register = registers.get(id);
  if (register === undefined) return registerFrame(frame.command, id, UNKNOWN_REGISTER);
  if (frame.command === COMMAND.get) return registerFrame(frame.command, id, OK, bytesOf(register));
  const flags = write(register, value);
  return registerFrame(frame.command, id, flags, value);
}

function write(register: HexRegister, value: Uint8Array): number {
  if (register.write === undefined) return NOT_SUPPORTED;
  if (value.length !== register.bytes) return BAD_VALUE;
  return register.write(Buffer.from(value).readUIntLE(0, register.bytes)) ? OK : BAD_VALUE;
}

function bytesOf({ bytes, read }: HexRegister): Uint8Array {
  const buffer = Buffer.alloc(bytes);
  const number = Math.round(read());
  if (number < 0) buffer.writeIntLE(number, 0, bytes);
  else buffer.writeUIntLE(number, 0, bytes);
  return buffer;
}

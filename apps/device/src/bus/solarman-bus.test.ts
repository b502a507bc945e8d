import { type ServedLine, serveLine, solarmanLogger } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { LinkDown, WriteUnanswered } from './failures.ts';
import { solarmanFraming, solarmanRequest } from './modbus/framing/solarman.ts';
import { type ModbusBus, ModbusException } from './modbus/modbus-bus.ts';
import { readPdu, registersOf, writePdu } from './modbus/modbus-pdu.ts';
import { openModbusBus } from './open-bus.ts';

const LINE = { baudRate: 9_600, parity: 'none', stopBits: 1 } as const;
const LOGGER = 2_712_345_678;
const REQUEST_TIMEOUT_MS = 200;

const writes: { address: number; values: readonly number[] }[] = [];
const bank = {
  readRange: (unitId: number, address: number, count: number) =>
    Array.from({ length: count }, (_, index) => (address + index) * 3 + unitId),
  write: (_unitId: number, address: number, values: readonly number[]) => {
    writes.push({ address, values });
  },
};

let served: ServedLine;
let bus: ModbusBus;

async function connect(options: Partial<Parameters<typeof solarmanLogger>[1]> = {}): Promise<void> {
  writes.length = 0;
  served = await serveLine(solarmanLogger(bank, { logger: LOGGER, ...options }));
  const { host, port } = served;
  bus = openModbusBus({ transport: 'solarman', host, port, logger: LOGGER }, LINE, systemClock, {
    answerTimeoutMs: REQUEST_TIMEOUT_MS,
  });
}

describe('a Solarman logger', () => {
  afterEach(async () => {
    await bus.close();
    await served.stop();
  });

  it.each([
    ['as most do', {}],
    ['with the CRC twice', { crcTwice: true }],
    ['with heartbeats in between', { heartbeats: true }],
  ])('reads and writes are passed on: %s', async (_how, options) => {
    await connect(options);
    expect(await bus.read(1, 10, 3)).toEqual([31, 34, 37]);
    await bus.write(1, 7, [42], { alwaysMultiple: true });
    expect(writes).toEqual([{ address: 7, values: [42] }]);
    expect(bus.traffic).toEqual({ requests: 2, answered: 2, silent: 0, dropped: 0 });
  });

  it('a logger with another serial number is reported: nothing was sent to the inverter', async () => {
    await connect({ logger: 1 });
    await expect(bus.read(1, 10, 1)).rejects.toThrow(/another serial number/);
    const write = bus.write(1, 7, [42]);
    await expect(write).rejects.toThrow(LinkDown);
    expect(writes).toEqual([]);
    expect(bus.traffic).toEqual({ requests: 2, answered: 2, silent: 0, dropped: 0 });
  });

  it('a unit that does not answer is reported: the outcome of a write is unknown', async () => {
    await connect();
    await expect(bus.read(9, 10, 1)).rejects.toThrow(/no answer from a unit of this number/);
    await expect(bus.read(9, 10, 1)).rejects.toThrow(LinkDown);
    await expect(bus.write(9, 7, [42])).rejects.toThrow(WriteUnanswered);
  });

  it('a server of another protocol on the port is recognised', async () => {
    served = await serveLine((line) => {
      const answer = (): void => void line.write('AT+YZCMPVER=MW3_16U_5406_2.32-D1\r\n\r\n');
      line.on('data', answer);
      return () => void line.off('data', answer);
    });
    const { host, port } = served;
    bus = openModbusBus({ transport: 'solarman', host, port, logger: LOGGER }, LINE, systemClock);
    await expect(bus.read(1, 10, 1)).rejects.toThrow(/not Solarman V5/);
    expect(bus.traffic).toEqual({ requests: 2, answered: 0, silent: 0, dropped: 2 });
  });
});

/** kbialek/deye-inverter-mqtt: issue 31, and `tests/deye_modbus_tcp_custom_test.py`. */
describe('frames of real loggers', () => {
  const energy = {
    logger: 2_388_186_981,
    request: 'a517001045000065d7588e02000000000000000000000000000001030202002d25af9915',
    answer:
      'a56d001015002465d7588e0201075132000301000035d7e76301035a00430042010c0000016700000045000201850000000b0000008102ac000000610000000000000000016d00000061016d0000000004e20564000000000000000000000000000000000a000001000d0000000000000000000000006b7e0c15',
  };
  const exception = {
    wrongLogger: 'a51000101500c9c22576f80201032d0000790800007106d6630600bd15',
    wrongUnit: 'a51000101500c9c22576f80201032d0000790800007106d6630500bc15',
  };
  const hex = (text: string): Buffer => Buffer.from(text, 'hex');

  /** A request with the sequence number 0, as the recordings have it. */
  const zeroth = (logger: number, pdu: ReturnType<typeof readPdu>) => {
    const framing = solarmanFraming(logger);
    for (let tries = 0; tries < 256; tries++) {
      const framed = framing.frame(1, pdu);
      if (framed.bytes[5] === 0) return framed;
    }
    throw new Error('there is no sequence number 0');
  };

  it('a request equals the recorded one', () => {
    expect(Buffer.from(zeroth(energy.logger, readPdu(514, 45)).bytes).toString('hex')).toBe(energy.request);
    const write = solarmanRequest(1_234_567_890, 0, hex('01100012000102a3d4dd8d'));
    expect(Buffer.from(write).toString('hex')).toBe(
      'a51a0010450000d202964902000000000000000000000000000001100012000102a3d4dd8d2b15',
    );
    expect(Buffer.from(zeroth(1_234_567_890, writePdu(18, [0xa3d4], true)).bytes)).toEqual(
      Buffer.from(write),
    );
  });

  it('recorded answers are read', () => {
    const { find, open } = zeroth(energy.logger, readPdu(514, 45));
    const answer = hex(energy.answer);
    const found = find(answer);
    expect(found).toEqual({ is: 'frame', frame: answer, end: answer.length });
    const registers = registersOf(open(answer));
    expect(registers.slice(0, 6)).toEqual([67, 66, 268, 0, 359, 0]);
    expect(registers).toHaveLength(45);
  });

  it('the logger’s own answers are recognised', () => {
    const { find, open } = zeroth(4_168_492_482, readPdu(514, 45));
    for (const [frame, code] of [
      [exception.wrongLogger, 10],
      [exception.wrongUnit, 11],
    ] as const) {
      expect(find(hex(frame))).toMatchObject({ is: 'frame', end: 29 });
      expect(() => open(hex(frame))).toThrow(ModbusException);
      expect(() => open(hex(frame))).toThrow(expect.objectContaining({ code }));
    }
  });

  it('late frames are dropped: the number of the request is another', () => {
    const framing = solarmanFraming(energy.logger);
    const late = Buffer.from(hex(energy.answer));
    const { find, bytes } = framing.frame(1, readPdu(514, 45));
    const sequence = bytes[5] ?? 0;
    const withSequence = (number: number): Buffer => {
      const frame = Buffer.from(late);
      frame[5] = number;
      frame[frame.length - 2] = frame.subarray(1, -2).reduce((sum, byte) => (sum + byte) & 0xff, 0);
      return frame;
    };
    expect(find(withSequence(sequence)).is).toBe('frame');
    expect(find(withSequence((sequence + 255) & 0xff))).toMatchObject({ is: 'skip', end: late.length });
  });

  it('frames with any changed byte, or without their end, are dropped', () => {
    const { find } = zeroth(energy.logger, readPdu(514, 45));
    const answer = hex(energy.answer);
    for (let at = 0; at < answer.length; at++) {
      const changed = Buffer.from(answer.map((byte, index) => (index === at ? byte ^ 0x40 : byte)));
      expect(find(changed).is, `byte ${at}`).not.toBe('frame');
      expect(find(answer.subarray(0, at)).is, `${at} bytes`).not.toBe('frame');
    }
  });
});

import { type Attach, openPty, type Pty, type ServedLine, serveLine } from '@heliograph/dev/serial';
import { systemClock } from '@heliograph/kit';
import type { MetricValue } from '@heliograph/metrics';
import { afterAll } from 'vitest';
import type { ByteBus } from '../../../src/bus/byte-bus.ts';
import { openByteBus } from '../../../src/bus/open-bus.ts';
import type { Hardware } from '../../../src/drivers/driver.ts';
import { victron } from '../../../src/drivers/victron/family.ts';
import { parseHex, registerAnswer, registerFrame } from '../../../src/drivers/victron/hex-frame.ts';
import { encodeBlock } from '../../../src/drivers/victron/text-block.ts';
import { type Stoppable, stopAll } from '../../running.ts';

/** How often simulated devices send their text; fast, for the tests' sake. */
export const LINE = { everyMs: 15 };

/** Timeout of a missing answer: long enough for a busy machine. */
export const NO_ANSWER_MS = 600;

const running: Stoppable[] = [];

/** The devices and buses of a file are closed after its last test. To be called outside of any `describe`. */
export function unplugAfterTests(): void {
  afterAll(() => stopAll(running));
}

/** A device behind a serial server. */
export async function plugIn(attach: Attach): Promise<{ bus: ByteBus; server: ServedLine }> {
  const server = await serveLine(attach);
  const { host, port } = server;
  const bus = openByteBus({ transport: 'serial-tcp', host, port }, victron.line, systemClock);
  running.push(server, { stop: () => bus.close() });
  return { bus, server };
}

/** A device on a serial port at `path`, which can be unplugged and plugged in again. */
export function plugInSerial(attach: Attach, path: string) {
  let port: Pty | undefined;
  let detach: (() => void) | undefined;
  const unplug = (): void => {
    detach?.();
    port?.close();
  };
  const plug = (): void => {
    port = openPty(path);
    detach = attach(port.line);
  };
  plug();
  const bus = openByteBus({ transport: 'serial', path }, victron.line, systemClock);
  running.push({ stop: unplug }, { stop: () => bus.close() });
  return { bus, unplug, plug };
}

export const open = (bus: ByteBus): Promise<Hardware> => victron.open(bus, { unit: undefined, options: {} });

export type Values = Record<string, MetricValue>;

export async function read(hardware: Hardware): Promise<Values> {
  return Object.fromEntries((await hardware.poll())[0] ?? []);
}

/** Polls until a reading satisfies the condition; the block under way at first may be an old one. */
export async function readUntil(hardware: Hardware, holds: (values: Values) => boolean): Promise<Values> {
  for (;;) {
    const values = await read(hardware);
    if (holds(values)) return values;
  }
}

/** The text of a small solar charger, which has a load output. */
export const CHARGER: Readonly<Record<string, string>> = {
  PID: '0xA05F',
  FW: '163',
  'SER#': 'HQ1',
  V: '12800',
  I: '1000',
  VPV: '20000',
  PPV: '14',
  CS: '3',
  LOAD: 'ON',
  IL: '0',
};

export const block = (fields: Readonly<Record<string, string>>): Uint8Array =>
  encodeBlock(new Map(Object.entries(fields)));

/** A device that repeats these bytes, and answers HEX frames with `answer`. */
export function repeating(
  bytes: Uint8Array | (() => Uint8Array),
  answer?: (frame: string) => Uint8Array,
): Attach {
  return (line) => {
    const timer = setInterval(() => line.write(typeof bytes === 'function' ? bytes() : bytes), LINE.everyMs);
    line.on('data', (data: Buffer) => {
      for (const frame of data.toString('latin1').match(/:[^\n]*\n/g) ?? []) {
        if (answer !== undefined) line.write(answer(frame));
      }
    });
    return () => clearInterval(timer);
  };
}

/** Answers as a charger that has these registers, each given as its bytes. */
export function answering(registers: Readonly<Record<number, readonly number[]>>) {
  return (text: string): Uint8Array => {
    const frame = parseHex(text);
    const request = registerAnswer(frame);
    const value = request === undefined ? undefined : registers[request.id];
    if (request === undefined || value === undefined)
      return registerFrame(frame.command, request?.id ?? 0, 1);
    return registerFrame(frame.command, request.id, 0, value);
  };
}

/** A charger that is on, and limited to 15 A. */
export const ON_AND_15_A = answering({ 512: [1], 60912: [150, 0] });

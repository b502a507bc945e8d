import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPty, type Pty } from '@heliograph/dev/serial';
import { ManualClock } from '@heliograph/kit';
import { SerialPort } from 'serialport';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ByteBus, FrameRule } from '../byte-bus.ts';
import { LinkDown } from '../failures.ts';
import { openByteBus } from '../open-bus.ts';

const LINE = { baudRate: 115_200, parity: 'none', stopBits: 1 } as const;
const REDIAL_WAIT_MS = 5_000;

const untilReturn: FrameRule = {
  timeoutMs: 20_000,
  find: (bytes) => {
    const end = bytes.indexOf(0x0d) + 1;
    return end === 0 ? { is: 'more' } : { is: 'frame', frame: bytes.subarray(0, end), end };
  },
};

let folder: string;
let path: string;
let pty: Pty;
let received: string;
let clock: ManualClock;
let bus: ByteBus;
/** Ends the ports that are stuck. */
let endStuck: () => Promise<unknown>;
let closings: number;

type OpenOptions = Parameters<typeof SerialPort.binding.open>[0];

interface Closable {
  close(): Promise<unknown>;
}

function plug(): void {
  pty = openPty(path);
  pty.line.on('data', (bytes: Buffer) => {
    received += bytes;
    if (received.endsWith('\r')) pty.line.write('ANSWER\r');
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-stuck-'));
  path = join(folder, 'ttyUSB0');
  received = '';
  clock = new ManualClock(0);
  closings = 0;
  const binding = SerialPort.binding as { open(options: OpenOptions): Promise<Closable> };
  const open = binding.open.bind(binding);
  // The driver of the first port never comes back from closing it.
  vi.spyOn(binding, 'open').mockImplementationOnce(async (options) => {
    const port = await open(options);
    const close = port.close.bind(port);
    endStuck = close;
    return Object.assign(port, {
      close: () => {
        closings += 1;
        return new Promise(() => undefined);
      },
    });
  });
  plug();
  bus = openByteBus({ transport: 'serial', path }, LINE, clock);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await bus.close();
  pty.close();
  await endStuck();
  rmSync(folder, { recursive: true });
});

it('a write to a port that was unplugged and never ends to close is not sent, and the next one is', async () => {
  await bus.read(Buffer.from('QUESTION\r'), untilReturn);
  pty.close();
  await expect.poll(() => closings).toBe(1);
  await expect(bus.write(Buffer.from('FIRST\r'), untilReturn)).rejects.toThrow(LinkDown);
  await expect(bus.read(Buffer.from('QUESTION\r'), untilReturn)).rejects.toThrow(
    /there is no .*ttyUSB0, as its former connection does not end/,
  );
  received = '';
  plug();
  clock.advance(REDIAL_WAIT_MS);
  await bus.write(Buffer.from('SECOND\r'), untilReturn);
  expect(received).toBe('SECOND\r');
});

it('a bus ends although its port never ends to close', async () => {
  await bus.read(Buffer.from('QUESTION\r'), untilReturn);
  await bus.close();
  expect(closings).toBe(1);
});

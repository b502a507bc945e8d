import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPty, type Pty } from '@heliograph/dev/serial';
import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ByteBus, FrameRule } from '../byte-bus.ts';
import { LinkDown } from '../failures.ts';
import { openByteBus } from '../open-bus.ts';

const LINE = { baudRate: 2_400, parity: 'none', stopBits: 1 } as const;
const REDIAL_WAIT_MS = 5_000;

const untilReturn: FrameRule = {
  timeoutMs: 300,
  find: (bytes) => {
    const end = bytes.indexOf(0x0d) + 1;
    return end === 0 ? { is: 'more' } : { is: 'frame', frame: bytes.subarray(0, end), end };
  },
};

let folder: string;
let path: string;
let pty: Pty;
let reports: Buffer;
let clock: ManualClock;
let bus: ByteBus;

/** A HID device is to a program, but for the edges of its reports, a file that is read and written. */
function plug(): void {
  pty = openPty(path);
  pty.line.on('data', (bytes: Buffer) => {
    reports = Buffer.concat([reports, bytes]);
    // Two reports of nine bytes each have come; the answer comes in two of eight.
    if (reports.length % 18 === 0) pty.line.write(Buffer.from('(12345678\r\0\0\0\0\0\0'));
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-hid-'));
  path = join(folder, 'hidraw0');
  reports = Buffer.alloc(0);
  clock = new ManualClock(0);
  plug();
  bus = openByteBus({ transport: 'hid', path }, LINE, clock);
});

afterEach(async () => {
  await bus.close();
  pty.close();
  rmSync(folder, { recursive: true });
});

it('a request is sent in reports of eight bytes, after the number zero and filled up with zeros', async () => {
  const answer = await bus.read(Buffer.from('QUESTION1\r'), untilReturn);
  expect(Buffer.from(answer).toString()).toBe('(12345678\r');
  expect(reports.toString('latin1')).toBe('\0QUESTION\x001\r\0\0\0\0\0\0');
  await bus.read(Buffer.from('QUESTION2\r'), untilReturn);
  expect(bus.traffic).toEqual({ requests: 2, answered: 2, silent: 0, dropped: 0 });
});

it('a HID device is found again after it was unplugged and plugged in', async () => {
  await bus.read(Buffer.from('QUESTION1\r'), untilReturn);
  pty.close();
  await expect(bus.read(Buffer.from('QUESTION2\r'), untilReturn)).rejects.toThrow(LinkDown);
  await expect(bus.write(Buffer.from('SET'), untilReturn)).rejects.toThrow(/there is no .*hidraw0/);
  reports = Buffer.alloc(0);
  plug();
  clock.advance(REDIAL_WAIT_MS);
  expect(await bus.read(Buffer.from('QUESTION3\r'), untilReturn)).toHaveLength(10);
});

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { messageOf, wait } from '@heliograph/kit';
import { type Port, portStream } from './port-stream.ts';

/** The report size in which inverters carry their serial protocol over USB (mpp-solar `inout/hidrawio.py`). */
const REPORT_BYTES = 8;
/** Linux takes this for "reports have no numbers" and does not send it (kernel `Documentation/hid/hidraw.rst`). */
const NO_REPORT_NUMBER = 0;
/** The controller behind the USB port passes a report on at 2400 baud before it takes the next. */
const BETWEEN_REPORTS_MS = 35;

/** How often to look for a report: often while an answer is due, seldom else, to notice that it was unplugged. */
const BUSY_POLL_MS = 10;
const IDLE_POLL_MS = 500;
const BUSY_FOR_MS = 3_000;

/**
 * Opens a USB HID device as a line of bytes.
 *
 * @throws Error with a reason for the homeowner
 */
export async function openHidDevice(path: string): Promise<Duplex> {
  try {
    const file = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
    // A caller from outside the home must not have the device write into files of the machine.
    if ((await file.stat()).isCharacterDevice()) return portStream(new HidPort(file));
    await file.close();
    throw new Error('it is no device');
  } catch (error) {
    throw new Error(openMessage(path, error), { cause: error });
  }
}

class HidPort implements Port {
  readonly #file: FileHandle;
  readonly #closing = new AbortController();
  #busyUntilMs = 0;
  #waiting = new AbortController();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Asks again and again: a read that waited would keep one of the process's few threads. */
  async read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }> {
    for (;;) {
      this.#closing.signal.throwIfAborted();
      const bytesRead = await this.#readNow(buffer, offset, length);
      if (bytesRead === 0) throw new Error('the device was unplugged');
      if (bytesRead !== undefined) return { bytesRead };
      const busy = performance.now() < this.#busyUntilMs;
      await wait(
        busy ? BUSY_POLL_MS : IDLE_POLL_MS,
        AbortSignal.any([this.#closing.signal, this.#waiting.signal]),
      );
    }
  }

  async write(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length; start += REPORT_BYTES) {
      if (start > 0) await wait(BETWEEN_REPORTS_MS, this.#closing.signal);
      this.#closing.signal.throwIfAborted();
      const report = Buffer.alloc(1 + REPORT_BYTES);
      report[0] = NO_REPORT_NUMBER;
      report.set(bytes.subarray(start, start + REPORT_BYTES), 1);
      await this.#file.write(report);
      this.#busyUntilMs = performance.now() + BUSY_FOR_MS;
    }
    this.#waiting.abort();
    this.#waiting = new AbortController();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#file.close();
  }

  /** @returns the bytes read; undefined when there are none yet, 0 when there never will be */
  async #readNow(buffer: Buffer, offset: number, length: number): Promise<number | undefined> {
    try {
      return (await this.#file.read(buffer, offset, length, null)).bytesRead;
    } catch (error) {
      if (isCode(error, 'EAGAIN')) return undefined;
      throw error;
    }
  }
}

function openMessage(path: string, error: unknown): string {
  if (isCode(error, 'ENOENT')) return `there is no ${path}`;
  if (isCode(error, 'EACCES'))
    return `${path} may not be opened by this user, who has to be let in by a udev rule`;
  return `${path} cannot be opened: ${messageOf(error)}`;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

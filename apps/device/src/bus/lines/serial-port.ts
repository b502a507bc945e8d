import { read } from 'node:fs';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { messageOf } from '@heliograph/kit';
import type { SerialPort } from 'serialport';
import type { SerialLine } from '../address.ts';
import { type Port, portStream } from './port-stream.ts';

/**
 * Opens a serial port, for this process alone.
 *
 * @throws Error with a reason for the homeowner
 */
export async function openSerialPort(path: string, line: Required<SerialLine>): Promise<Duplex> {
  // Loaded when it is needed: a device without a serial port shall run where there is no build of it.
  const { SerialPort } = await import('serialport');
  try {
    const opened = await SerialPort.binding.open({ path, ...line, lock: true });
    return portStream('poller' in opened ? new FilePort(opened) : opened);
  } catch (error) {
    throw new Error(openMessage(path, messageOf(error)), { cause: error });
  }
}

/** How long one character takes on the line, in milliseconds: a start bit and eight more stand before the rest. */
export function characterMs({ baudRate, parity, stopBits }: Required<SerialLine>): number {
  const bits = 9 + (parity === 'none' ? 0 : 1) + stopBits;
  return (bits * 1_000) / baudRate;
}

type OpenedPort = Awaited<ReturnType<typeof SerialPort.binding.open>>;
type OpenedFile = Extract<OpenedPort, { readonly poller: unknown }>;

const readFile = promisify(read);

/** Codes of the system for a port that was unplugged while a read began. */
const GONE: ReadonlySet<unknown> = new Set(['EIO', 'ENODEV', 'ENXIO']);

/**
 * A port that is a file. The package's own `read` asks again at once when the system has nothing to give: a port that
 * was unplugged between two reads has nothing for ever, and would keep the processor busy until it is closed.
 */
class FilePort implements Port {
  readonly #port: OpenedFile;
  #reading: Promise<unknown> = Promise.resolve();
  #closing = false;

  constructor(port: OpenedFile) {
    this.#port = port;
  }

  read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }> {
    const result = this.#read(buffer, offset, length);
    this.#reading = result.catch(() => {});
    return result;
  }

  write(bytes: Buffer): Promise<unknown> {
    return this.#port.write(bytes);
  }

  /** A read under way ends first: the system gives the file's number to the next one that is opened. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#port.poller.stop();
    await this.#reading;
    await this.#port.close();
  }

  async #read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }> {
    for (;;) {
      const bytesRead = await this.#readNow(buffer, offset, length);
      if (bytesRead === 0) throw new Error('the port was unplugged');
      if (bytesRead !== undefined) return { bytesRead };
      if (this.#closing) throw new Error('the port was closed');
      await this.#readable();
    }
  }

  /** @returns the bytes read; undefined when there are none yet, 0 when there never will be */
  async #readNow(buffer: Buffer, offset: number, length: number): Promise<number | undefined> {
    if (this.#port.fd === null) throw new Error('the port was closed');
    try {
      return (await readFile(this.#port.fd, buffer, offset, length, null)).bytesRead;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EAGAIN' || code === 'EINTR') return undefined;
      if (GONE.has(code)) return 0;
      throw error;
    }
  }

  #readable(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#port.poller.once('readable', (cause: Error | null) => {
      if (cause === null) resolve();
      else reject(new Error('the port was unplugged', { cause }));
    });
    return promise;
  }
}

function openMessage(path: string, message: string): string {
  if (/no such file/i.test(message)) return `there is no ${path}`;
  if (/permission denied/i.test(message)) {
    return `${path} may not be opened by this user, who has to be in its group, usually "dialout"`;
  }
  if (/lock port/i.test(message)) return `${path} is open in another program`;
  if (/inappropriate ioctl/i.test(message)) return `${path} is no serial port`;
  return `${path} cannot be opened: ${message}`;
}

import { Duplex } from 'node:stream';

/** An open device file. */
export interface Port {
  /** Resolves when at least one byte came in; rejects when the device is gone or was closed. */
  read(buffer: Buffer, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
  write(bytes: Buffer): Promise<unknown>;
  close(): Promise<unknown>;
}

const CHUNK_BYTES = 4_096;

/** A device file as a stream, which ends for good with the first error. */
export function portStream(port: Port): Duplex {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  return new Duplex({
    read() {
      port.read(buffer, 0, buffer.length).then(
        ({ bytesRead }) => this.push(Buffer.from(buffer.subarray(0, bytesRead))),
        (error: Error) => this.destroy(error),
      );
    },
    write(bytes: Buffer, _encoding, done) {
      port.write(bytes).then(() => done(), done);
    },
    destroy(error, done) {
      port.close().then(
        () => done(error),
        (problem: Error) => done(error ?? problem),
      );
    },
  });
}

import { closeSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Duplex } from 'node:stream';
import { ReadStream } from 'node:tty';
import { inPieces } from '../machine/in-pieces.ts';

/** A serial port that a program can open, and the other end of its cable. */
export interface Pty {
  /** The path that a program opens. */
  readonly path: string;
  /** The stream of the device at the other end. */
  readonly line: Duplex;
  /** Unplugs the port: it is gone for every program that has it open, too. */
  close(): void;
}

interface Native {
  open(
    columns: number,
    rows: number,
  ): { readonly master: number; readonly slave: number; readonly pty: string };
}

/**
 * Opens a pseudo-terminal: a serial port of the real kernel, without the wire and its speed.
 *
 * @param link a path under which the port is found too; it stays the same when a port is opened again
 * @throws Error where there are no pseudo-terminals
 */
export function openPty(link?: string): Pty {
  const { master, slave, pty } = native().open(80, 24);
  const reader = new ReadStream(master);
  // Else the terminal would echo, and turn some bytes into others, until a program has set it up.
  reader.setRawMode(true);
  const line = new Duplex({
    read: () => {},
    write(bytes: Buffer, _encoding, done) {
      writeNow(master, bytes);
      done();
    },
    destroy(error, done) {
      reader.destroy();
      // Held open until now: the port would end for the device whenever a program closes it.
      closeSync(slave);
      if (link !== undefined) rmSync(link, { force: true });
      done(error);
    },
  });
  inPieces(line);
  reader.on('data', (bytes) => line.push(bytes));
  reader.on('error', (error) => line.destroy(error));
  line.on('error', () => {});
  if (link !== undefined) {
    rmSync(link, { force: true });
    symlinkSync(pty, link);
  }
  return { path: link ?? pty, line, close: () => void line.destroy() };
}

/** Writes at once; bytes that an unread port cannot hold are lost, as on a wire. */
function writeNow(fd: number, bytes: Buffer): void {
  try {
    writeSync(fd, bytes);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
  }
}

/** The package's own `open` reads from both ends at once, and so takes from the program what is meant for it. */
function native(): Native {
  const require = createRequire(import.meta.url);
  const {
    requireBinary,
  }: { requireBinary: (file: string) => Native } = require('@lydell/node-pty/requireBinary.js');
  return requireBinary('pty.node');
}

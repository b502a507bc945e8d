import type { Attach } from '@heliograph/dev/serial';
import { encodeA5Frame, encodeA5Request, FRAME_LENGTH } from '../../../src/drivers/daly/a5-frame.ts';

/** The address of the first board in its answers. */
const BOARD = 1;

export interface SimulatedBoard {
  /** The addresses of programs that it answers. */
  readonly hosts: readonly number[];
  /** Whole frames by the command that they answer. */
  readonly answers: ReadonlyMap<number, Uint8Array>;
}

/** A Daly board that answers A5 frames as it was recorded, and keeps silent to others. */
export function simulatedBoard({ hosts, answers }: SimulatedBoard): Attach {
  return (line) => {
    let received = Buffer.alloc(0);
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= FRAME_LENGTH) {
        const [, host = 0, command = 0] = received;
        const isRequest = received.subarray(0, FRAME_LENGTH).equals(encodeA5Request(host, command));
        received = received.subarray(isRequest ? FRAME_LENGTH : 1);
        if (!isRequest) continue;
        const answer = hosts.includes(host) ? answers.get(command) : undefined;
        if (answer !== undefined) line.write(Buffer.from(answer));
      }
    };
    line.on('data', take);
    return () => line.off('data', take);
  };
}

/** A frame of the first board. */
export function boardFrame(command: number, ...data: readonly number[]): Uint8Array {
  const padded = Uint8Array.from({ length: 8 }, (_, index) => data[index] ?? 0);
  return encodeA5Frame({ address: BOARD, command, data: padded });
}

/** The numbered frames that carry a text. */
export function codeFrames(command: number, text: string): Uint8Array {
  const FRAMES = 5;
  const CHARACTERS = 7;
  const parts = Array.from({ length: FRAMES }, (_, index) =>
    Buffer.from(text.slice(index * CHARACTERS, (index + 1) * CHARACTERS), 'latin1'),
  );
  return Buffer.concat(parts.map((part, index) => boardFrame(command, index + 1, ...part)));
}

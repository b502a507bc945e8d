import { Writable } from 'node:stream';
import type { Logger } from '@heliograph/kit';
import { pino } from 'pino';

/** A logger that keeps its lines, those of debugging too. */
export function recordingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { logger: pino({ level: 'debug' }, stream), lines };
}

import { createLogger, type Logger } from '@heliograph/kit';

/** A logger that keeps its lines, those of debugging too. */
export function recordingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  return { logger: createLogger('cloud', 'debug', { write: (line) => lines.push(line) }), lines };
}

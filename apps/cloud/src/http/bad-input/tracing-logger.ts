import { createLogger, type Logger } from '@heliograph/kit';

/** A logger that keeps all that can be logged. */
export function tracingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  return { logger: createLogger('cloud', 'trace', { write: (line) => lines.push(line) }), lines };
}

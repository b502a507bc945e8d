import { createLogger, type Logger } from '@heliograph/kit';

/** A logger that stores every line, down to the level trace. */
export function tracingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  return { logger: createLogger('cloud', 'trace', { write: (line) => lines.push(line) }), lines };
}

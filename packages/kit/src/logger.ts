import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTrace } from './current-trace.ts';

export type { DestinationStream, Logger };

/** Fields of PostgreSQL errors that contain values of rows and arguments of functions. */
const ROW_PATHS = ['err.detail', 'err.where'];

/** Everything secret that could ever sit in a logged object; the values never leave the process. */
const SECRET_PATHS = [
  'password',
  'passphrase',
  'token',
  'authorization',
  'cookie',
  'site_key',
  'secret',
  'credential',
].flatMap((key) => [key, `*.${key}`]);

/**
 * Only the plain fields of an error are logged. Libraries attach whole connections to theirs, with
 * all the secrets these hold.
 */
function plainError(error: Error): object {
  const entries = Object.entries(pino.stdSerializers.err(error));
  return Object.fromEntries(entries.filter(([, value]) => typeof value !== 'object'));
}

/** Standard error, for the lines of a logger. */
export function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true });
}

/** The id of the request that is being handled, in each line that its handling writes. */
function requestIdOf(fields: object): object {
  const trace = currentTrace();
  return trace === undefined || 'requestId' in fields ? {} : { requestId: trace.traceId };
}

/**
 * A JSON logger; the level comes from LOG_LEVEL (default `info`).
 *
 * @param destination takes the lines, by default standard error
 */
export function createLogger(
  app: string,
  level = process.env.LOG_LEVEL ?? 'info',
  destination: DestinationStream = standardError(),
): Logger {
  return pino(
    {
      name: app,
      level,
      mixin: requestIdOf,
      serializers: { err: plainError },
      redact: {
        paths: [...SECRET_PATHS, ...ROW_PATHS, 'req.headers.authorization', 'req.headers["site-key"]'],
        censor: '[redacted]',
      },
    },
    destination,
  );
}

export const silentLogger: Logger = pino({ level: 'silent' });

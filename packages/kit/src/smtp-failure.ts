/** Properties of nodemailer's errors. */
interface Failure {
  readonly code: string | undefined;
  /** The system's error, such as ECONNREFUSED. */
  readonly originalCode: string | undefined;
  /** The command that the server answered, or `API` when nodemailer itself refused. */
  readonly command: string | undefined;
  /** The reply of the server, which may repeat addresses. */
  readonly response: string;
}

/** 5.7.x concerns the sender and not the recipient, such as a relay that requires a password (RFC 3463, 3.8). */
const REFUSED_FOR_GOOD = /^5\d\d(?![ -]5\.7\.)/;

/** True when a retry is pointless: the server refused the recipient, or the address is invalid. */
export function isFinal(error: unknown): boolean {
  const { code, command, response } = failureOf(error);
  if (code !== 'EENVELOPE') return false;
  return command === 'API' || (command === 'RCPT TO' && REFUSED_FOR_GOOD.test(response));
}

/** The loggable codes of a failure, without the server's text, which may contain an address. */
export function summaryOf(error: unknown): string {
  const { code, originalCode, command, response } = failureOf(error);
  const [reply] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  const known = [code, originalCode, command, reply].filter((text) => text !== undefined);
  return known.length === 0 ? 'unknown' : known.join(' ');
}

function failureOf(error: unknown): Failure {
  const text = (key: string): string | undefined => {
    if (!(error instanceof Error) || !(key in error)) return undefined;
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    code: text('code'),
    originalCode: text('originalCode'),
    command: text('command'),
    response: text('response') ?? '',
  };
}

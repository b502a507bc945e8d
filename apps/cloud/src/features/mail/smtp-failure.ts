/** What nodemailer says about a failed delivery. */
interface Failure {
  readonly code: string | undefined;
  /** The error of the system below, such as ECONNREFUSED. */
  readonly originalCode: string | undefined;
  /** The command that the server answered, or `API` when nodemailer itself refused. */
  readonly command: string | undefined;
  /** The reply of the server, which may repeat addresses. */
  readonly response: string;
}

/** 5.7.x is about us and not about the recipient, such as a relay that wants a password (RFC 3463, section 3.8). */
const REFUSED_FOR_GOOD = /^5\d\d(?![ -]5\.7\.)/;

/** Whether no later try can do better: the server refused the recipient, or the address is none. */
export function isFinal(error: unknown): boolean {
  const { code, command, response } = failureOf(error);
  if (code !== 'EENVELOPE') return false;
  return command === 'API' || (command === 'RCPT TO' && REFUSED_FOR_GOOD.test(response));
}

/** What may be logged of a failure: its codes, without the server's words, which may hold an address. */
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

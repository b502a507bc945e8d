import type { BenchServer } from './server.ts';

/** A statement as PostgreSQL saw it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** The prefix names the program, so that the mail queue's own polling is not taken for the request's. */
export const LOG_PREFIX = '%m [%p] %a ';
const EXECUTED = / heliograph-cloud LOG: {2}(?:execute [^:]*|statement): /;

/**
 * The statements of a request, read from the server's own log: independent of our code, so
 * the peer runs the same SQL for sure.
 *
 * @param setting switches the logging of statements for the database
 */
export async function statementsOf(
  server: BenchServer,
  setting: (on: boolean) => Promise<void>,
  request: () => Promise<void>,
): Promise<Statement[]> {
  await setting(true);
  // A connection that is open learns of the setting with its next statement.
  await request();
  let log = '';
  server.onLog = (text) => (log += text);
  await untilQuiet(() => log);
  log = '';
  await request();
  await setting(false);
  await untilQuiet(() => log);
  server.onLog = () => undefined;
  return parse(log);
}

/** The log comes by way of a pipe: it is complete when nothing came for a moment. */
async function untilQuiet(read: () => string): Promise<void> {
  for (let length = -1; length !== read().length; ) {
    length = read().length;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

function parse(log: string): Statement[] {
  const entries = log.split(/\n(?=\d{4}-\d\d-\d\d )/);
  const statements: Statement[] = [];
  for (const [index, entry] of entries.entries()) {
    const head = EXECUTED.exec(entry);
    if (head === null) continue;
    const text = entry.slice(head.index + head[0].length);
    const detail = entries[index + 1] ?? '';
    statements.push({
      text: text.trim(),
      values: /DETAIL: {2}Parameters: /i.test(detail) ? valuesOf(detail) : [],
    });
  }
  return statements;
}

/** `Parameters: $1 = '5', $2 = NULL` */
function valuesOf(detail: string): (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g)].map(([, text]) =>
    text === undefined ? null : text.replaceAll("''", "'"),
  );
}

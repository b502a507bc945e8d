import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { outsideOfRequests, runWithTrace, withCurrentTrace } from './current-trace.ts';
import { createLogger } from './logger.ts';
import { traceOf } from './trace-context.ts';

const LOGGER = new URL('./logger.ts', import.meta.url).href;

function logged(statement: string, env: Record<string, string | undefined> = {}): string {
  const script = `import { createLogger } from '${LOGGER}'; const logger = createLogger('app'); ${statement}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, LOG_LEVEL: 'info', ...env },
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  return stderr;
}

it('a log line is JSON on standard error, and no secret is in it', () => {
  const secret = 'hush-hush';
  const failure = { message: 'no', detail: `Failing row contains (${secret})`, where: `f('${secret}')` };
  const request = { headers: { authorization: secret, 'site-key': secret, host: 'h' } };
  const line = logged(
    `logger.info(${JSON.stringify({
      password: secret,
      token: secret,
      user: { token: secret, site_key: secret, id: 7 },
      req: request,
      err: failure,
    })}, 'hello');`,
  );
  expect(JSON.parse(line)).toMatchObject({
    name: 'app',
    msg: 'hello',
    password: '[redacted]',
    user: { id: 7 },
    req: { headers: { host: 'h' } },
    err: { message: 'no' },
  });
  expect(line).not.toContain(secret);
});

it('an error is logged with its plain fields, not with what a library hung on it', () => {
  const line = logged(
    `logger.warn({ err: Object.assign(new Error('gone'), { code: '57P01', client: { host: 'db' } }) }, 'lost');`,
  );
  const { err } = JSON.parse(line);
  expect(err).toEqual({
    type: 'Error',
    message: 'gone',
    code: '57P01',
    stack: expect.stringContaining('gone'),
  });
});

it('lines from the level info on are written where LOG_LEVEL is not set', () => {
  const lines = logged(`logger.debug('detail'); logger.info('matter');`, { LOG_LEVEL: undefined });
  expect(lines).toContain('matter');
  expect(lines).not.toContain('detail');
});

it('LOG_LEVEL leaves out what is less important', () => {
  const lines = logged(`logger.info('detail'); logger.warn('matter');`, { LOG_LEVEL: 'warn' });
  expect(lines).toContain('matter');
  expect(lines).not.toContain('detail');
});

it('lines within the handling of a request have its id, and no others', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('app', 'info', { write: (line) => lines.push(JSON.parse(line)) });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  let onMessage = (): void => undefined;
  runWithTrace(traceOf({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` }), () => {
    onMessage = withCurrentTrace(() => logger.info('a later event'));
    logger.info('within');
    logger.child({ part: 'a' }).info('also within');
    logger.info({ requestId: 'its own' }, 'about another one');
    outsideOfRequests(() => logger.info('for others'))();
  });
  logger.info('without');
  onMessage();
  expect(lines.map(({ msg, requestId }) => [msg, requestId])).toEqual([
    ['within', traceId],
    ['also within', traceId],
    ['about another one', 'its own'],
    ['for others', undefined],
    ['without', undefined],
    ['a later event', traceId],
  ]);
});

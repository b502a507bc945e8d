import { createLogger } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { LogTail } from './log-tail.ts';
import { presentLog } from './present-log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW_MS = Date.parse('2026-06-02T12:00:00Z');

const line = (time: number, msg: string): string =>
  JSON.stringify({ level: 40, time, pid: 1, hostname: 'jane', msg, reason: 'no route' });

it('the kept log has no more bytes than it may, and its newest lines', () => {
  const tail = new LogTail(2_000);
  const logger = createLogger('device', 'info', tail.before({ write: () => {} }));
  for (let number = 0; number < 100; number++) logger.info(`line ${number}`);
  const text = tail.lines.join('');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  expect(text).toContain('line 99');
  expect(text).not.toContain('line 50"');
});

it('the log of a bundle is that of a day, without the name of the machine', () => {
  const text = presentLog([line(NOW_MS - DAY_MS - 1, 'old'), line(NOW_MS - DAY_MS, 'lost')], NOW_MS, 'lan');
  expect(text).toBe('2026-06-01T12:00:00.000Z WARN lost {"reason":"no route"}\n');
});

it('the log of a bundle through the proxy has no reasons, which would reveal other hosts of the network', () => {
  expect(presentLog([line(NOW_MS, 'lost')], NOW_MS, 'proxy')).toBe('2026-06-02T12:00:00.000Z WARN lost\n');
});

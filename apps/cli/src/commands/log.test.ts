import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

const WRITE = {
  ...{ id: 7, at: '2026-06-21T12:00:00.000Z', author: 'local', via: 'lan', topic: 'inverter_1/use_timer' },
  ...{ old_value: '0', new_value: '1', outcome: 'unknown', reason: null },
};
const PENDING = {
  ...{ ...WRITE, settled_at: null, pending: true, settles_by: '2026-06-21T12:06:10Z' },
  also_changed: [],
};
const SETTLED = {
  ...{ ...WRITE, outcome: 'ok', settled_at: '2026-06-21T12:00:09.000Z', pending: false },
  also_changed: [{ topic: 'inverter_1/program_1_soc', old_value: '70', new_value: '0' }],
};

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** The log of a device with these entries, without its title, in the time zone UTC. */
async function logOf(...writes: readonly object[]): Promise<readonly string[]> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(writes));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stops.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const args = ['log', '--device', `127.0.0.1:${port}`, '--password', 'secret'];
  const { stdout } = await runCommand(args, { TZ: 'UTC' });
  return stdout.trimEnd().split('\n');
}

it('an outcome that later readings may correct is unknown so far, until a time', async () => {
  expect(await logOf(PENDING)).toEqual([
    'ID  TIME                 WHO          TOPIC                 OLD  NEW  OUTCOME',
    ' 7  2026-06-21 12:00:00  local (lan)  inverter_1/use_timer  0    1    unknown so far, until 2026-06-21 12:06:10',
  ]);
});

it('an outcome that a reading corrected has the time of it, and the settings that changed along', async () => {
  const [, settled, pending] = await logOf(SETTLED, PENDING);
  expect(settled).toMatch(/ ok, read at 2026-06-21 12:00:09 +inverter_1\/program_1_soc 70 -> 0$/);
  expect(pending).toMatch(/ unknown so far, until 2026-06-21 12:06:10$/);
});

it('the log of a device of an earlier version is printed', async () => {
  expect((await logOf(WRITE)).at(-1)).toMatch(/ unknown$/);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';

const AMOUNTS = {
  pv: 1,
  load: 2,
  battery_in: null,
  battery_out: null,
  grid_in: 5,
  grid_out: 0,
  self_sufficiency: null,
  coverage: 1,
  net_cost: 1.2,
  savings: 0.3,
  costs_since: null,
  costs_unsettled: false,
};
const PARTIAL = { ...AMOUNTS, costs_since: '2026-02-11T00:00:00+01:00' };

/** A device whose prices begin within the first of two months. */
const device = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({
      time_zone: 'Europe/Berlin',
      step: 'month',
      from: '2026-02-01T00:00:00+01:00',
      to: '2026-04-01T00:00:00+02:00',
      since: '2026-02-01T00:00:00+01:00',
      currency: 'EUR',
      total: PARTIAL,
      steps: [
        { from: '2026-02-01T00:00:00+01:00', ...PARTIAL },
        { from: '2026-03-01T00:00:00+01:00', ...AMOUNTS },
      ],
    }),
  );
});
await new Promise<void>((resolve) => device.listen(0, '127.0.0.1', resolve));
afterAll(() => device.close());

const energy = (...args: readonly string[]) => {
  const { port } = device.address() as AddressInfo;
  return runCommand([
    'energy',
    '--device',
    `127.0.0.1:${port}`,
    '--password',
    'secret',
    '--step',
    'month',
    ...args,
  ]);
};

it('heliograph energy marks money that is for a part of its time, and prints the beginning of that', async () => {
  const { stdout, stderr } = await energy();
  const rows = stdout.trim().split('\n').slice(1);
  expect(rows.map((row) => row.trim().split(/\s+/).slice(-2))).toEqual([
    ['1.20*', '0.30*'],
    ['1.20', '0.30'],
    ['1.20*', '0.30*'],
  ]);
  expect(stderr).toContain('since 2026-02-11: before, there are no prices in EUR');
});

it('heliograph energy --csv-locale prints CSV as spreadsheets of a language open it', async () => {
  const [titles, first] = (await energy('--csv', '--csv-locale', 'de')).stdout.split('\n');
  expect(titles).toMatch(/^\u{FEFF}from;pv;load;/u);
  expect(first).toMatch(/;1,2;0,3;2026-02-11T00:00:00\+01:00;false$/);
  expect((await energy('--csv', '--csv-locale', 'Deutsch, bitte')).stderr).toContain('must be a language');
});

it('heliograph energy --csv has since when money is as a column', async () => {
  const [titles, first, second] = (await energy('--csv')).stdout.split('\n');
  expect(titles).toMatch(/,costs_since,costs_unsettled$/);
  expect(first).toMatch(/,1\.2,0\.3,2026-02-11T00:00:00\+01:00,false$/);
  expect(second).toMatch(/,1\.2,0\.3,,false$/);
});

import type { EnergyAnswer, Tariff, TariffList } from '@heliograph/contracts';
import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';
import { HALF_WMS_PER_WH } from '../../../energy/energy-amount.ts';
import { TariffStore } from '../../../energy/tariffs/tariff-store.ts';

const HOUR_MS = 3_600_000;
const KWH = 1000 * HALF_WMS_PER_WH;
const NOW = Date.parse('2026-11-25T12:00:00+01:00');

const TARIFF: Tariff = {
  valid_from: '2026-11-01',
  currency: 'EUR',
  import: [{ price: 0.2, from_hour: 22, to_hour: 6 }, { price: 0.3 }],
  export: [{ price: 0.08 }],
  fixed_charges: [{ amount: 15, per: 'month' }],
};

let device: TestDevice;
beforeEach(async () => {
  device = await startTestDevice({ clock: new ManualClock(NOW) });
});
afterEach(() => device.stop());

async function put(tariffs: readonly object[], more: object = {}, headers: Record<string, string> = {}) {
  const answer = await device.fetch('/api/v1/tariffs', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ tariffs, ...more }),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as TariffList & { errors?: Record<string, string[]> },
  };
}

async function yesterday(): Promise<EnergyAnswer> {
  for (let hour = Date.parse('2026-11-24T00:00:00+01:00'); hour < NOW; hour += HOUR_MS)
    device.hours.save(hour, {
      covered_ms: HOUR_MS,
      grid_in: KWH,
      grid_out: 0.5 * KWH,
      pv_to_load: 0.1 * KWH,
    });
  const answer = await device.fetch('/api/v1/energy?step=day&from=2026-11-24&to=2026-11-25');
  return (await answer.json()) as EnergyAnswer;
}

it('a day has costs, earnings, savings and its part of the fixed charges once prices are known', async () => {
  expect((await yesterday()).currency).toBeNull();
  expect(await put([TARIFF])).toMatchObject({ status: 200, body: { tariffs: [TARIFF] } });
  const { currency, total, steps } = await yesterday();
  const costs = {
    import_cost: 8 * 0.2 + 16 * 0.3,
    export_earnings: 12 * 0.08,
    fixed_charges: 0.5,
    net_cost: 8 * 0.2 + 16 * 0.3 + 0.5 - 12 * 0.08,
    savings: 0.64,
  };
  expect([currency, steps.length]).toEqual(['EUR', 1]);
  for (const [name, amount] of Object.entries(costs)) {
    expect(total[name as keyof typeof costs]).toBeCloseTo(amount, 4);
    expect(steps[0]?.[name as keyof typeof costs]).toBeCloseTo(amount, 4);
  }
});

it('a step in which the prices begin has the beginning of its money, and a step before has no money', async () => {
  await put([TARIFF]);
  device.hours.save(Date.parse('2026-10-10T12:00:00+02:00'), { covered_ms: HOUR_MS, grid_in: 5 * KWH });
  await yesterday();
  const read = async (step: string) => {
    const answer = await device.fetch(`/api/v1/energy?step=${step}&from=2026-10-01&to=2026-11-25`);
    return (await answer.json()) as EnergyAnswer;
  };
  const year = await read('year');
  const since = '2026-11-01T00:00:00+01:00';
  expect(year.total).toMatchObject({ grid_in: 5 + 24 + 12, costs_since: since });
  expect(year.total.import_cost).toBeCloseTo(8 * 0.2 + 16 * 0.3 + 6 * 0.2 + 6 * 0.3, 4);
  expect(year.steps[0]?.costs_since).toBe(since);
  const months = await read('month');
  expect(months.steps.map((step) => [step.import_cost === null, step.costs_since])).toEqual([
    [true, null],
    [false, null],
  ]);
  expect(months.total.costs_since).toBe(since);
});

it('new prices leave days that are over as they were, and a change of the past needs its own word', async () => {
  await put([TARIFF]);
  const before = (await yesterday()).total.net_cost;
  const dearer = { ...TARIFF, import: [{ price: 0.5 }] };
  const refused = await put([dearer]);
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['tariffs']]);
  expect((await put([TARIFF, { ...dearer, valid_from: '2026-11-20' }])).status).toBe(422);
  expect((await put([])).status).toBe(422);
  expect(
    (await put([{ ...dearer, valid_from: '2026-12-01' }, TARIFF])).body.tariffs.map(
      (each) => each.valid_from,
    ),
  ).toEqual(['2026-11-01', '2026-12-01']);
  expect((await yesterday()).total.net_cost).toBe(before);
  expect((await put([dearer], { reprice: true })).status).toBe(200);
  expect((await yesterday()).total.import_cost).toBe(12);
});

it.each([
  ['a day that no calendar has', { valid_from: '2026-02-30' }, 'tariffs.0'],
  ['an unknown currency', { currency: 'ABC' }, 'tariffs.0.currency'],
  ['a last band with a condition', { import: [{ price: 1, months: [1] }] }, 'tariffs.0.import'],
  [
    'a band that ends as it begins',
    { export: [{ price: 1, from_hour: 3, to_hour: 3 }, { price: 1 }] },
    'tariffs.0.export.0.to_hour',
  ],
  [
    'a band of holidays and all days',
    { import: [{ price: 1, holidays: true }, { price: 1 }] },
    'tariffs.0.import.0.holidays',
  ],
])('%s is refused at its place', async (_what, change, field) => {
  const { status, body } = await put([{ ...TARIFF, ...change }]);
  expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
});

it('two tariffs of one first day are refused', async () => {
  expect((await put([TARIFF, TARIFF])).body.errors?.tariffs).toEqual(['two begin on 2026-11-01']);
});

it('prices are recorded with their author, stay after a restart, and need the password', async () => {
  await put([TARIFF]);
  const [entry] = device.auditLog.recent(1);
  expect([entry?.action, entry?.author, entry?.changes[0]?.new_value]).toEqual([
    'tariffs.change',
    'local',
    '2026-11-01',
  ]);
  const again = new TariffStore({ store: device.store, zone: 'Europe/Berlin', clock: new ManualClock(NOW) });
  expect(again.tariffs).toEqual([TARIFF]);
  expect((await put([TARIFF], {}, { authorization: 'Basic x' })).status).toBe(401);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';

/** Patience: on a busy machine hardware answers too late and is read again seconds later. In milliseconds. */
const READ_WITHIN_MS = 60_000;

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({ fullPlant: true });
});
afterAll(() => system?.stop());

const device = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const { url, password } = system.run.device;
  return fetch(url + path, {
    ...init,
    headers: { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' },
  });
};

const values = async (topic: string): Promise<Record<string, unknown>> => {
  const answer = await device(`/api/v1/metrics?topic=${encodeURIComponent(topic)}`);
  const rows = (await answer.json()) as { topic: string; value: unknown }[];
  return Object.fromEntries(rows.map((row) => [row.topic, row.value]));
};

describe('hardware behind every kind of connection at once', () => {
  it.each([
    ['SunSpec by Modbus TCP', 'inverter_1/pv_power', 'inverter_1/load_power'],
    ['Deye behind a Solarman logger', 'inverter_2/pv_power', 'inverter_2/load_power'],
    ['PI30 on a serial port', 'inverter_3/pv_power', 'inverter_3/load_power'],
    ['a recorded Growatt behind a gateway', 'inverter_4/pv_power', 'inverter_4/load_power'],
    ['a recorded GoodWe by datagrams', 'inverter_5/pv_power', 'inverter_5/battery_state_of_charge'],
    ['Pylontech behind a serial server', 'battery_2/state_of_charge', 'battery_5/cell_voltage_-_highest'],
    ['a Shelly meter by HTTP', 'meter_1/power', 'meter_1/import_energy'],
    ['a recorded Seplos pack on a serial port', 'battery_6/state_of_charge', 'battery_6/cell_voltage_16'],
  ])(
    '%s is read',
    async (_hardware, ...topics) => {
      await expect.poll(async () => Object.values(await values('*')).length).toBeGreaterThan(200);
      for (const topic of topics) {
        await expect
          .poll(async () => (await values(topic))[topic], { timeout: READ_WITHIN_MS, message: topic })
          .toEqual(expect.any(Number));
      }
    },
    3 * READ_WITHIN_MS,
  );

  it('power balances in every inverter that measures all four powers, and in total', async () => {
    for (const place of ['total', 'inverter_1', 'inverter_2', 'inverter_3', 'inverter_4', 'inverter_5']) {
      const all = await values(`${place}/*_power`);
      const of = (name: string) => Number(all[`${place}/${name}_power`]);
      expect(of('load'), place).toBe(of('pv') + of('grid') - of('battery'));
    }
  });

  it.each([
    ['inverter_1/battery_reserve', '25'],
    ['inverter_2/max_charge_current', '60'],
    ['inverter_2/time_point_2', '05:30'],
    ['inverter_3/output_source_priority', 'Solar first'],
    ['inverter_4/battery_first_stop_charge', '90'],
    ['inverter_5/work_mode', 'Backup'],
  ])('%s is set to %s and shows it', async (topic, value) => {
    const before = (await values(topic))[topic];
    const answer = await device('/api/v1/metrics', {
      method: 'POST',
      body: JSON.stringify({ topic, value }),
    });
    expect(await answer.json()).toEqual({ topic, result: 'ok' });
    const after = (await values(topic))[topic];
    expect(String(after).startsWith(value)).toBe(true);
    expect(after).not.toBe(before);
  });
});

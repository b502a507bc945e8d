import type { SettingWrite } from '@heliograph/contracts';
import { recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { afterEach, expect, it } from 'vitest';
import { registersWith } from '../test/drivers/deye/registers.ts';
import { startWholeDevice } from '../test/whole-device.ts';

const [CHARGE, DISCHARGE] = [210, 211];

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
});

it('a setting that an inverter resets with a write is in the log beside it', async () => {
  const registers = registersWith(3, { [CHARGE]: 20, [DISCHARGE]: 70 });
  const inverter = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    ...recordedBank({ unitId: 1, registers }),
    write: (_unit, address, values) => {
      for (const [index, value] of values.entries()) registers.set(address + index, value);
      if (address === CHARGE) registers.set(DISCHARGE, 0);
    },
  });
  running.push(() => inverter.stop());
  const device = await startWholeDevice(`poll_interval_s: 0.2
mdns: false
connections:
  - { driver: deye, bus: "modbus-tcp://127.0.0.1:${inverter.port}" }
`);
  running.push(() => device.stop());
  const topic = 'inverter_1/max_charge_current';
  const read = () => device.answer<{ value: unknown }[]>(`/api/v1/metrics?topic=${topic}`);
  await expect.poll(async () => (await read())[0]?.value).toBe(20);
  const written = await device.browser.send('POST', '/api/v1/metrics', { topic, value: '35' });
  expect(written.status).toBe(200);
  const reset = { topic: 'inverter_1/max_discharge_current', old_value: '70', new_value: '0' };
  await expect
    .poll(() => device.answer<SettingWrite[]>('/api/v1/settings/log'))
    .toMatchObject([{ topic, new_value: '35', outcome: 'ok', also_changed: [reset] }]);
});

import { afterEach, expect, it } from 'vitest';
import { BATTERY, BMS, CHARGER, METER, VEBUS } from '../../../test/drivers/victron-gx/devices.ts';
import { gxWith, serve, stopServed, wide } from '../../../test/drivers/victron-gx/gx.ts';
import { RecordingBus } from '../modbus/recording-bus.ts';
import { victronGx } from './family.ts';

afterEach(stopServed);

it('a recording of a GX that was made over its bus decodes to the values of a poll', async () => {
  const system = gxWith({ ...BATTERY, ...wide(908, 400), 850: 1400 });
  const gx = await serve([100, system], [227, VEBUS], [225, BMS], [226, CHARGER], [30, METER]);
  const bus = new RecordingBus(gx.bus);
  const hardware = await victronGx.open(bus, { unit: undefined, options: {} });
  const readings = await hardware.poll();
  const decoded = victronGx.decode({ protocol: 'victron_gx_modbus_tcp', exchanges: bus.recorded() });
  expect(decoded.map(({ reading }) => reading)).toEqual(readings);
  expect(decoded[0]?.reading.get('Load power')).toBe(1400 + 400 - 520);
});

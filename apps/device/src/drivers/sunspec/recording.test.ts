import { buildChain, recordedBank, startRegisterServer } from '@heliograph/dev/modbus';
import { expect, it } from 'vitest';
import { modbusTcpBus } from '../../../test/bus/modbus-tcp-bus.ts';
import { RecordingBus } from '../modbus/recording-bus.ts';
import { sunspec } from './family.ts';

it('a recording of a SunSpec inverter that was made over its bus decodes to the values of a poll', async () => {
  const chain = buildChain([
    { id: 1, values: { Mn: 'Maker', Md: 'Hybrid', SN: 'S1' } },
    { id: 103, values: { W: 2950, W_SF: 0, DCW: 3010, DCW_SF: 0, Hz: 50.01, Hz_SF: -2, St: 4 } },
    { id: 203, values: { W: 420, W_SF: 0, TotWhImp: 123_400, TotWh_SF: 0 } },
  ]);
  const server = await startRegisterServer({ host: '127.0.0.1', port: 0, ...recordedBank(chain) });
  const bus = new RecordingBus(modbusTcpBus(server));
  try {
    const hardware = await sunspec.open(bus, { unit: 1, options: {} });
    const [reading] = await hardware.poll();
    const [decoded] = sunspec.decode({ protocol: 'sunspec', exchanges: bus.recorded() });
    expect(decoded?.reading).toEqual(reading);
    expect(decoded?.reading.get('Load power')).toBe(3430);
  } finally {
    await bus.close();
    await server.stop();
  }
});

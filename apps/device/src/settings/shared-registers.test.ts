import { startRegisterServer } from '@heliograph/dev/modbus';
import { silentLogger, systemClock } from '@heliograph/kit';
import { afterEach, expect, it } from 'vitest';
import { modbusTcpBus } from '../../test/bus/modbus-tcp-bus.ts';
import { open as openPi30, plugIn, simulated } from '../../test/drivers/pi30/plugged-in.ts';
import { REGISTER, startSettableInverter } from '../../test/drivers/sunspec/settable-inverter.ts';
import { FakeHome } from '../../test/poll/fake-home.ts';
import { type Stoppable, stopAll } from '../../test/running.ts';
import type { Hardware, ModbusFamily } from '../drivers/driver.ts';
import { loadFamilies } from '../drivers/families/families.ts';
import type { Author } from '../storage/write-log.ts';
import { HardwareSettings } from './hardware-settings.ts';
import { WriteFollowUp } from './write-follow-up.ts';

const AUTHOR: Author = { name: 'user 12', via: 'proxy' };

const running: Stoppable[] = [];
afterEach(() => stopAll(running));

/** Writes all settings at the same time, over the real line of the hardware. */
async function writeConcurrently(hardware: Hardware, values: Readonly<Record<string, string>>) {
  const home = new FakeHome([async () => hardware]).start();
  running.push(home);
  const topics = Object.keys(values);
  await expect.poll(() => topics.map((topic) => home.value(topic) ?? null)).not.toContain(null);
  const settings = new HardwareSettings({
    snapshots: home.snapshots,
    hardware: home.collector,
    log: home.log,
    followUp: new WriteFollowUp({ ...home, logger: silentLogger }),
    // That of the hardware.
    clock: systemClock,
    logger: silentLogger,
    writesPerDay: () => 100,
  });
  await Promise.all(Object.entries(values).map(([topic, value]) => settings.set(topic, value, AUTHOR)));
  return Object.fromEntries(topics.map((topic) => [topic, home.value(topic)]));
}

it('settings in bits of one register of a Solis are all in force after concurrent writes', async () => {
  const registers = new Map([[43_110, 0b1000_0000_0001]]);
  const server = await startRegisterServer({
    host: '127.0.0.1',
    port: 0,
    readRange: (_unit, address, count) =>
      Array.from({ length: count }, (_, index) => registers.get(address + index) ?? 0),
    write: (_unit, address, values) => {
      for (const [index, value] of values.entries()) registers.set(address + index, value);
    },
  });
  running.push(server);
  const bus = modbusTcpBus({ host: '127.0.0.1', port: server.port, answerTimeoutMs: 2_000 });
  running.push({ stop: () => bus.close() });
  const family = (await loadFamilies()).get('solis') as ModbusFamily;
  const values = await writeConcurrently(await family.open(bus, { unit: 1, options: {} }), {
    'inverter_1/work_mode': 'Feed-in priority',
    'inverter_1/use_timer': 'true',
    'inverter_1/grid_charge': 'true',
  });
  expect(registers.get(43_110)).toBe(0b1000_0110_0010);
  expect(values).toEqual({
    'inverter_1/work_mode': 'Feed-in priority',
    'inverter_1/use_timer': true,
    'inverter_1/grid_charge': true,
  });
});

it('settings of one SunSpec model are all in force after concurrent writes, each enabled by its own write', async () => {
  const inverter = await startSettableInverter();
  running.push(inverter);
  await writeConcurrently(inverter.hardware, {
    'inverter_1/active_power_limit': '60',
    'inverter_1/grid_connection': 'Disconnect',
    'inverter_1/storage_control_mode': 'Limit both',
    'inverter_1/max_charge_rate': '25',
  });
  expect(inverter.writes).toEqual([
    [REGISTER.limit, [600]],
    [REGISTER.limitEnabled, [1]],
    [REGISTER.connection, [0]],
    [REGISTER.mode, [3]],
    [REGISTER.charge, [2_500]],
  ]);
});

it('flags of a PI30 inverter are all in force after concurrent writes, each read right before and after', async () => {
  const plugged = await plugIn(simulated());
  running.push(plugged);
  const hardware = await openPi30(plugged);
  const values = await writeConcurrently(hardware, {
    'inverter_1/power_saving': 'Enabled',
    'inverter_1/overload_bypass': 'Enabled',
    'inverter_1/buzzer': 'Disabled',
  });
  expect(values).toEqual({
    'inverter_1/power_saving': 'Enabled',
    'inverter_1/overload_bypass': 'Enabled',
    'inverter_1/buzzer': 'Disabled',
  });
  const commands = plugged.takeCommands().filter((command) => /^P[ED]/.test(command));
  expect(commands).toEqual(['PEj', 'PEb', 'PDa']);
});

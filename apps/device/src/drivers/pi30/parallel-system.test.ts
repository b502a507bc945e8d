import type { Attach } from '@heliograph/dev/serial';
import { describe, expect, it } from 'vitest';
import {
  MIDNIGHT,
  open,
  type PluggedIn,
  plugIn,
  scripted,
  simulated,
} from '../../../test/drivers/pi30/plugged-in.ts';
import { REAL } from '../../../test/drivers/pi30/real-answers.ts';
import { expectBalance } from '../../../test/drivers/voltronic/balance.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import type { Hardware } from '../driver.ts';

const running = runningUntilTheEnd();

async function connect(device: Attach): Promise<PluggedIn> {
  const plugged = await plugIn(device);
  running.push(plugged);
  return plugged;
}

describe.concurrent('a parallel system of PI30 inverters', () => {
  const serials = ['92931905100001', '92931905100002', '92931905100003'];

  it('each inverter of the system is a unit, in the order of their numbers', async () => {
    const hardware = await open(await connect(simulated({ serials, cableTo: 1 })));
    const readings = await hardware.poll();
    expect(readings.map((reading) => reading.get('Serial number'))).toEqual(serials);
    expect(hardware.units.map(({ settingsRefusal }) => settingsRefusal)).toEqual([
      expect.stringContaining('slave'),
      undefined,
      expect.stringContaining('slave'),
    ]);
    for (const reading of readings) expect(reading.get('AC output power')).toBeTypeOf('number');
    expect(readings[0]?.get('Max charge current')).toBe(100);
  });

  it('the PV power of the others is unknown on the grid', async () => {
    const hardware = await open(await connect(simulated({ serials, cableTo: 1 })));
    await hardware.write(1, 'Output source priority', 'Utility first');
    const [first, own] = await hardware.poll();
    expect(first?.get('Device mode')).toBe('Grid');
    for (const name of ['PV power', 'Grid power']) expect(first?.get(name)).toBeNull();
    expect(first?.get('Load power')).toBe(first?.get('AC output power'));
    expect(own?.get('PV power')).toBeGreaterThan(0);
  });

  it('all powers of the others are known at night and on battery', async () => {
    const hardware = await open(await connect(simulated({ serials }, MIDNIGHT)));
    for (const reading of await hardware.poll()) expectBalance(Object.fromEntries(reading));
  });

  it('an inverter with parallel: alone is the only unit', async () => {
    const plugged = await connect(simulated({ serials }));
    expect((await open(plugged, { parallel: 'alone' })).units).toHaveLength(1);
    expect(plugged.takeCommands().filter((command) => command.startsWith('QPGS'))).toEqual([]);
  });

  it('an inverter that is not found in its system is the only unit', async () => {
    const found = { QPGS0: `1 92931905100001 B 00 ${'0 '.repeat(15)}00000000 1 1 060 080 60 00 000` };
    const answers = {
      ...REAL,
      QPIRI: String(REAL.QPIRI?.subarray(1, -3)).replace(/ 0 54\.0/, ' 1 54.0'),
      ...found,
    };
    expect((await open(await connect(scripted(answers)))).units).toHaveLength(1);
  });

  it('the hardware needs to be reopened when another inverter joins', async () => {
    const joining = [...serials.slice(0, 2)];
    const hardware = await open(await connect(simulated({ serials: joining })));
    expect(hardware.units).toHaveLength(2);
    joining.push('92931905100003');
    for (let poll = 0; poll < 60 && hardware.needsReopen !== true; poll++) await hardware.poll();
    expect(hardware.needsReopen).toBe(true);
  });

  it('an inverter that has left the system has no values', async () => {
    const staying = [...serials];
    const hardware: Hardware = await open(await connect(simulated({ serials: staying })));
    await hardware.poll();
    expect([hardware.isGone?.(2), hardware.hasShrunk]).toEqual([false, false]);
    staying.pop();
    expect((await hardware.poll())[2]).toEqual(new Map());
    expect([0, 1, 2].map((unit) => hardware.isGone?.(unit))).toEqual([false, false, true]);
    expect(hardware.hasShrunk).toBe(true);
  });
});

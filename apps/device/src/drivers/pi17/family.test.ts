import { describe, expect, it, vi } from 'vitest';
import { DISCHARGING, open, plugIn, realAnswers } from '../../../test/drivers/pi17/plugged-in.ts';
import { BALANCE, expectBalance } from '../../../test/drivers/voltronic/balance.ts';
import { type PluggedIn, read } from '../../../test/drivers/voltronic/plugged-in.ts';
import { PATIENCE, runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown } from '../../bus/failures.ts';
import { NotRecognised } from '../driver.ts';
import { pi17 } from './family.ts';

const running = runningUntilTheEnd();

async function connect(queries: Record<string, string | Buffer>): Promise<PluggedIn> {
  const plugged = await plugIn({ queries });
  running.push(plugged);
  return plugged;
}

describe.concurrent('openPi17', () => {
  it('a real unit opens with its values and settings', async () => {
    const hardware = await open(await connect({ ...realAnswers(), GS: DISCHARGING }));
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model: 'InfiniSolar 10 kW 3P' }]);
    const values = await read(hardware);
    expect(values).toMatchObject({
      Protocol: 'PI17',
      'Model name': 'InfiniSolar 10 kW 3P',
      'Serial number': '96161704100242',
      'Firmware version': '00001.01',
      'Firmware version 2': '00001.01',
      'Device mode': 'Hybrid',
      Faults: 'None',
      Warnings: 'PV 1 loss, PV voltage 2 high, Battery under shutdown, Battery voltage high',
      'Total PV energy': 6591,
      'PV power': 644,
      'Battery power': -6825,
      'Grid power': -7152,
      'Load power': 317,
      'Battery capacity': 47,
      'Solar power priority': 'Battery/Load/Grid',
      'Grid charge': 'Disabled',
      'Max charge current': 200,
      'Max grid charge current': 50,
      'Max discharge current': 250,
      'Battery absorption charge voltage': 58.4,
    });
    expectBalance(values);
    expect(values).not.toHaveProperty('Battery state of charge');
    expect(values).not.toHaveProperty('Grid power L1');
    const names = hardware.units[0]?.quantities.map(({ name }) => name) ?? [];
    expect(names.toSorted()).toEqual(Object.keys(values).toSorted());
  });

  it('the range of a charge current is what the inverter reports', async () => {
    const rule = async (answers: Record<string, string | Buffer>) => {
      const hardware = await open(await connect(answers));
      const found = hardware.units[0]?.quantities.find(({ name }) => name === 'Max grid charge current');
      return found?.setting ?? found?.readOnlyReason;
    };
    expect(await rule(realAnswers())).toEqual({ kind: 'number', min: 5, max: 200, step: 1 });
    const { MAR: _refused, ...answers } = realAnswers();
    expect(await rule(answers)).toMatch(/does not report which values it takes/);
  });

  it('a battery that talks to the inverter has a state of charge', async () => {
    const hardware = await open(
      await connect({ ...realAnswers(), GS: DISCHARGING, FLAG: '0,0,1,0,1,0,0,0,1' }),
    );
    expect(await read(hardware)).toHaveProperty('Battery state of charge', 47);
  });

  it.each([
    ['a device that refuses everything', {}, /refuses PI of PI17/],
    ['a device that refuses its powers', { PI: '17', GS: DISCHARGING }, /refuses PS of PI17/],
  ])('%s is not recognised', async (_name, answers, message) => {
    const opening = open(await connect(answers));
    await expect(opening).rejects.toThrow(NotRecognised);
    await expect(opening).rejects.toThrow(message);
  });

  it('opening fails with LinkDown when silence or noise answers', async () => {
    const plugged = await connect(realAnswers());
    plugged.faults.behave('silent');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
    plugged.faults.behave('corrupt');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
  });
});

describe.concurrent('poll of a PI17 inverter', () => {
  it('every poll reads the status and the powers, and the rest in turn', async () => {
    const plugged = await connect(realAnswers());
    const hardware = await open(plugged);
    plugged.takeCommands();
    for (let poll = 0; poll < 4; poll++) await hardware.poll();
    expect(plugged.takeCommands()).toEqual(
      [
        ['GS', 'PS', 'MOD', 'HECS', 'ID'],
        ['GS', 'PS', 'MOD', 'BATS'],
        ['GS', 'PS', 'MOD', 'WS'],
        ['GS', 'PS', 'MOD', 'CFS'],
      ].flat(),
    );
  });

  it.each(['truncate', 'corrupt'] as const)('a damaged answer (%s) leaves out the powers', async (fault) => {
    const plugged = await connect(realAnswers());
    const hardware = await open(plugged);
    // The bus repeats the request, and the second answer is damaged too.
    plugged.faults.behave(fault, 2);
    const values = await read(hardware);
    for (const name of BALANCE) expect(values).not.toHaveProperty(name);
    expect(values).toHaveProperty('Device mode');
    expect(await read(hardware)).toHaveProperty('Load power');
  });

  it('a slow answer is waited for', async () => {
    const plugged = await connect(realAnswers());
    const hardware = await open(plugged);
    plugged.faults.behave('hold', 1);
    const poll = read(hardware);
    await vi.waitFor(() => expect(plugged.faults.held).toBe(1), PATIENCE);
    plugged.faults.release();
    expect(await poll).toHaveProperty('Load power');
  });

  it('a poll fails with LinkDown in silence and recovers afterwards', async () => {
    const plugged = await connect(realAnswers());
    const hardware = await open(plugged);
    plugged.faults.behave('silent');
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
    plugged.faults.behave('none');
    plugged.server.breakConnections();
    expect(await read(hardware)).toHaveProperty('Load power');
  });
});

it.concurrent('the family opens a PI17 inverter at the pace of a real line', async () => {
  const plugged = await connect(realAnswers());
  const hardware = await pi17.open(plugged.bus, { unit: undefined, options: {} });
  expect(await read(hardware)).toMatchObject({ 'Grid power': -7152 });
});

it.concurrent('the described unit lists every quantity of a PI17 inverter', async () => {
  const hardware = await open(await connect({ ...realAnswers(), FLAG: '0,0,1,0,1,0,0,0,1' }));
  const described = new Set(
    pi17.describedUnits.flatMap(({ rows }) => rows.map(({ quantity }) => quantity.name)),
  );
  const names = hardware.units[0]?.quantities.map(({ name }) => name) ?? [];
  expect(names.filter((name) => !described.has(name))).toEqual([]);
  expect(described.size).toBe(pi17.describedUnits[0]?.rows.length);
});

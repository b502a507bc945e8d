import { describe, expect, it } from 'vitest';
import { open, plugIn, ratings, realAnswers } from '../../../test/drivers/pi18/plugged-in.ts';
import { BALANCE, expectBalance } from '../../../test/drivers/voltronic/balance.ts';
import { type PluggedIn, read } from '../../../test/drivers/voltronic/plugged-in.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown } from '../../bus/failures.ts';
import { NotRecognised } from '../driver.ts';
import { pi18 } from './family.ts';

const running = runningUntilTheEnd();

async function connect(queries: Record<string, string | Buffer>, sendsCheckBytes = true): Promise<PluggedIn> {
  const plugged = await plugIn({ queries }, sendsCheckBytes);
  running.push(plugged);
  return plugged;
}

describe.concurrent('openPi18', () => {
  it('a real unit opens with its values and settings', async () => {
    const hardware = await open(await connect(realAnswers()));
    expect(hardware.units).toMatchObject([{ kind: 'inverters', model: 'Voltronic 5.6 kVA 48 V' }]);
    const values = await read(hardware);
    expect(values).toMatchObject({
      Protocol: 'PI18',
      'Serial number': '96161704100242',
      'Firmware version': '05402',
      'Device mode': 'Hybrid',
      Faults: 'None',
      Warnings: 'None',
      'PV power': 1326,
      'Battery power': 891,
      'Grid power': 0,
      'Load power': 435,
      'AC output power': 255,
      'MPPT state 1': 'Charging',
      'MPPT temperature 1': null,
      'Output source priority': 'SBU',
      'Charger source priority': 'Solar only',
      'Solar power priority': 'Load/Battery/Utility',
      'Max charge current': 60,
      'Max grid charge current': 50,
      'Shutdown battery voltage': 48,
      'Battery float charge voltage': 54.4,
      'Overload bypass': 'Disabled',
      'LCD backlight': 'Enabled',
    });
    expectBalance(values);
    const names = hardware.units[0]?.quantities.map(({ name }) => name) ?? [];
    expect(names.toSorted()).toEqual(Object.keys(values).toSorted());
  });

  it('the state of charge is left out where the inverter estimates it', async () => {
    const hardware = await open(await connect(realAnswers()));
    expect(await read(hardware)).not.toHaveProperty('Battery state of charge');
    const fields = ratings().split(',').with(13, '3').join(',');
    const other = await open(await connect({ ...realAnswers(), PIRI: fields }));
    expect(await read(other)).toMatchObject({
      'Battery type': 'Pylontech',
      'Battery state of charge': 42,
      'Battery capacity': 42,
    });
  });

  it('settings of an inverter in a parallel system that need its number are only shown', async () => {
    const hardware = await open(await connect({ ...realAnswers(), PIRI: ratings({ mode: 1 }) }));
    const readOnly = hardware.units[0]?.quantities.filter(({ readOnlyReason = '' }) =>
      /parallel system is not confirmed/.test(readOnlyReason),
    );
    expect(readOnly?.map(({ name }) => name)).toEqual([
      'Charger source priority',
      'Max charge current',
      'Max grid charge current',
    ]);
  });

  it('queries that are refused or not answered are left out', async () => {
    const { FWS: _refused, ...answers } = realAnswers();
    const hardware = await open(await connect({ ...answers, MUCHGCR: Buffer.alloc(0) }));
    const values = await read(hardware);
    expect(values).not.toHaveProperty('Warnings');
    expect(values).toMatchObject({ 'Load power': 435, 'Max grid charge current': 50 });
    const setting = hardware.units[0]?.quantities.find(({ name }) => name === 'Max grid charge current');
    expect(setting).toMatchObject({ readOnlyReason: 'the inverter does not list which values it takes' });
  });

  it.each([
    ['a device that refuses everything', {}, /refuses PI of PI18/],
    ['a device that refuses its status', { PI: '18' }, /refuses GS of PI18/],
  ])('%s is not recognised', async (_name, answers, message) => {
    const opening = open(await connect(answers));
    await expect(opening).rejects.toThrow(NotRecognised);
    await expect(opening).rejects.toThrow(message);
  });

  it('opening fails with LinkDown when another protocol, silence or noise answers', async () => {
    await expect(open(await connect({ PI: '17' }))).rejects.toThrow(LinkDown);
    const plugged = await connect(realAnswers());
    plugged.faults.behave('silent');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
    plugged.faults.behave('corrupt');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
  });

  it('an inverter that takes requests without a checksum is read, and not written', async () => {
    const hardware = await open(await connect(realAnswers(), false), { request_checksum: false });
    expect(await read(hardware)).toMatchObject({ 'Load power': 435 });
    await expect(hardware.write(0, 'Output source priority', 'SUB')).rejects.toThrow(/have no checksum/);
  });
});

describe.concurrent('poll of a PI18 inverter', () => {
  it('every poll reads the status, and the rest in turn', async () => {
    const plugged = await connect(realAnswers());
    const hardware = await open(plugged);
    plugged.takeCommands();
    for (let poll = 0; poll < 3; poll++) await hardware.poll();
    expect(plugged.takeCommands()).toEqual(
      [
        ['GS', 'MOD', 'PIRI', 'ID'],
        ['GS', 'MOD', 'FWS'],
        ['GS', 'MOD', 'FLAG'],
      ].flat(),
    );
    expect(hardware.readAt?.(0, 'Battery type')).toBeTypeOf('number');
    for (const name of ['Grid voltage', ...BALANCE]) expect(hardware.readAt?.(0, name), name).toBeUndefined();
  });

  it.each([
    ['an inverter that feeds the grid', { direction: '2', mode: '05' }, -180, 255],
    ['an inverter on battery', { direction: '0', mode: '03' }, 0, 435],
    ['an inverter in standby with a grid', { direction: '1', mode: '01' }, null, 255],
  ])('the powers of %s add up', async (_name, { direction, mode }, grid, load) => {
    const answers = realAnswers();
    const GS = Buffer.from(answers.GS ?? '')
      .subarray(5, -3)
      .toString('latin1')
      .split(',')
      .with(26, direction)
      .join(',');
    const values = await read(await open(await connect({ ...answers, GS, MOD: mode })));
    expect(values).toMatchObject({ 'PV power': 1326, 'Grid power': grid, 'Load power': load });
    if (grid !== null) expectBalance(values);
  });

  it('the powers are left out when the mode could not be read', async () => {
    const answers = realAnswers();
    const hardware = await open(await connect(answers));
    answers.MOD = Buffer.from('^D00505\xd9\x9e\r', 'latin1');
    const values = await read(hardware);
    for (const name of BALANCE) expect(values).not.toHaveProperty(name);
    expect(values).toHaveProperty('AC output power', 255);
  });

  it.each(['truncate', 'corrupt'] as const)(
    'a damaged answer (%s) leaves out its own values',
    async (fault) => {
      const plugged = await connect(realAnswers());
      const hardware = await open(plugged);
      // The bus repeats the request, and the second answer is damaged too.
      plugged.faults.behave(fault, 2);
      const values = await read(hardware);
      expect(values).not.toHaveProperty('Load power');
      expect(values).toHaveProperty('Device mode');
      expect(await read(hardware)).toHaveProperty('Load power');
    },
  );

  it('a poll fails with LinkDown in silence and recovers afterwards', async () => {
    const plugged = await connect(realAnswers());
    const hardware = await open(plugged);
    plugged.faults.behave('silent');
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
    plugged.faults.behave('none');
    plugged.server.breakConnections();
    expect(await read(hardware)).toHaveProperty('Load power');
  });

  it('a poll fails with LinkDown when another inverter answers', async () => {
    const answers = realAnswers();
    const hardware = await open(await connect(answers));
    answers.ID = '1496161704100243000000';
    await expect(hardware.poll()).rejects.toThrow(/another inverter answers/);
  });
});

it.concurrent('the family opens a PI18 inverter at the pace of a real line', async () => {
  const plugged = await connect(realAnswers());
  const hardware = await pi18.open(plugged.bus, { unit: undefined, options: {} });
  expect(await read(hardware)).toMatchObject({ 'Load power': 435 });
});

it.concurrent('the described unit lists every quantity of a PI18 inverter', async () => {
  const hardware = await open(
    await connect({ ...realAnswers(), PIRI: ratings().replace(',2,050', ',3,050') }),
  );
  const described = new Set(
    pi18.describedUnits.flatMap(({ rows }) => rows.map(({ quantity }) => quantity.name)),
  );
  const names = hardware.units[0]?.quantities.map(({ name }) => name) ?? [];
  expect(names.filter((name) => !described.has(name))).toEqual([]);
  expect(described.size).toBe(pi18.describedUnits[0]?.rows.length);
});

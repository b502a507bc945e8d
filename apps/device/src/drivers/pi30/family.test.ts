import type { Attach } from '@heliograph/dev/serial';
import { ManualClock, wallAt } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import {
  MIDNIGHT,
  NOON,
  open,
  type PluggedIn,
  plugIn,
  read,
  scripted,
  simulated,
} from '../../../test/drivers/pi30/plugged-in.ts';
import { REAL } from '../../../test/drivers/pi30/real-answers.ts';
import { BALANCE, expectBalance } from '../../../test/drivers/voltronic/balance.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown } from '../../bus/failures.ts';
import { NotRecognised } from '../driver.ts';
import { pi30 } from './family.ts';
import { frameOf } from './frame.ts';

const running = runningUntilTheEnd();

async function connect(device: Attach): Promise<PluggedIn> {
  const plugged = await plugIn(device);
  running.push(plugged);
  return plugged;
}

describe.concurrent('openPi30', () => {
  it('the simulated home opens with all quantities and settings', async () => {
    const hardware = await open(await connect(simulated()));
    expect(hardware.units).toHaveLength(1);
    expect(hardware.units[0]).toMatchObject({ kind: 'inverters', model: 'VMIII-6000' });
    expect(hardware.units[0]).not.toHaveProperty('settingsRefusal');
    const values = await read(hardware);
    expect(values).toMatchObject({
      'Serial number': '92932012100458',
      'Firmware version': '00072.70',
      'Device mode': 'Battery',
      'Output source priority': 'SBU',
      'Charger source priority': 'Solar first',
      'Max charge current': 100,
      'Back to battery voltage': 54,
      Buzzer: 'Enabled',
      'Export to grid': 'Enabled',
      Faults: 'None',
    });
    expect(values['PV power']).toBe(Number(values['PV power 1']) + Number(values['PV power 2']));
    const names = hardware.units[0]?.quantities.map(({ name }) => name) ?? [];
    expect(new Set(names).size).toBe(names.length);
    expect(names.toSorted()).toEqual(Object.keys(values).toSorted());
  });

  it('a real unit without model, second MPPT and grid charge currents is read', async () => {
    const hardware = await open(await connect(scripted(REAL)));
    expect(hardware.units[0]?.model).toBe('Voltronic 5 kVA 48 V');
    expect(await read(hardware)).toMatchObject({
      'Device mode': 'Battery',
      'PV power': 241,
      'Grid power': 0,
      'Battery power': -52,
      'Load power': 293,
      'AC output power': 250,
      Temperature: 45,
      Warnings: 'Line fail, Overload',
    });
    const setting = (name: string) => hardware.units[0]?.quantities.find((each) => each.name === name);
    expect(setting('Max charge current')?.setting).toEqual({ kind: 'number', min: 10, max: 80, step: 10 });
    expect(setting('Max grid charge current')).toMatchObject({
      readOnlyReason: 'the inverter does not list which values it takes',
    });
  });

  it('a query without any answer is left out', async () => {
    const nothing = Buffer.alloc(0);
    const hardware = await open(await connect(scripted({ ...REAL, QMCHGCR: nothing })));
    expect(await read(hardware)).toMatchObject({ 'PV power': 241, 'Serial number': '92931905106463' });
  });

  it.each([
    ['another protocol of the same maker', { QPI: 'PI18' }, /speaks PI18/],
    ['a device that refuses everything', {}, /does not tell which protocol/],
    ['a device that refuses its status', { QPI: 'PI30' }, /refuses QPIGS/],
  ])('%s is not recognised', async (_name, answers, message) => {
    const opening = open(await connect(scripted(answers)));
    await expect(opening).rejects.toThrow(NotRecognised);
    await expect(opening).rejects.toThrow(message);
  });

  it('opening fails with LinkDown when silence or noise answers', async () => {
    const plugged = await connect(simulated());
    plugged.faults.behave('silent');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
    plugged.faults.behave('corrupt');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
  });

  it.each([
    ['battery type AGM: estimated from the voltage', '0', undefined],
    ['battery type Pylontech: measured by the battery', '3', 28],
  ])('the state of charge depends on %s', async (_name, type, charge) => {
    const text = String(REAL.QPIRI?.subarray(1, -3).toString('latin1'));
    const fields = text.split(' ').with(12, type);
    const hardware = await open(await connect(scripted({ ...REAL, QPIRI: fields.join(' ') })));
    const values = await read(hardware);
    expect(values['Battery state of charge']).toBe(charge);
    expect(values['Battery capacity']).toBe(28);
  });

  it('a model with other numbers of the charger priority does not offer it', async () => {
    const hardware = await open(await connect(scripted({ ...REAL, QGMN: '045' })));
    expect(await read(hardware)).not.toHaveProperty('Charger source priority');
  });
});

describe.concurrent('powers of the simulated home', () => {
  it.each([
    ['at noon', NOON],
    ['at night', MIDNIGHT],
  ])('the powers balance %s', async (_name, nowMs) => {
    const hardware = await open(await connect(simulated({}, nowMs)));
    const values = await read(hardware);
    expectBalance(values);
    if (nowMs === MIDNIGHT) expect(values['PV power']).toBe(0);
    else expect(values['PV power']).toBeGreaterThan(1000);
  });
});

describe.concurrent('poll of a PI30 inverter', () => {
  it('every poll reads the status, and the rest in turn', async () => {
    const plugged = await connect(simulated());
    const hardware = await open(plugged);
    plugged.takeCommands();
    for (let poll = 0; poll < 3; poll++) await hardware.poll();
    const commands = plugged.takeCommands();
    expect(commands).toEqual(
      [
        ['QPIGS', 'QMOD', 'QPIGS2', 'QPIRI', 'QID'],
        ['QPIGS', 'QMOD', 'QPIGS2', 'QPIWS'],
        ['QPIGS', 'QMOD', 'QPIGS2', 'QFLAG'],
      ].flat(),
    );
    for (let poll = 0; poll < 15; poll++) await hardware.poll();
    commands.push(...plugged.takeCommands());
    for (const command of ['QID', 'QVFW', 'QMN', 'QPI', 'QMCHGCR', 'QMUCHGCR'])
      expect(commands).toContain(command);
  });

  it('readAt returns the time of every value that is read in turn', async () => {
    const clock = new ManualClock(NOON);
    const hardware = await open(await connect(simulated()), {}, clock);
    const timeOf = (name: string) => wallAt(clock, hardware.readAt?.(0, name) ?? Number.NaN) - NOON;
    const times = () =>
      ['Serial number', 'Battery type', 'Warnings', 'Buzzer', 'Firmware version'].map(timeOf);
    expect(times()).toEqual([0, 0, 0, 0, 0]);
    for (let poll = 1; poll <= 3; poll++) {
      clock.advance(1_000);
      await hardware.poll();
    }
    expect(times()).toEqual([1_000, 1_000, 2_000, 3_000, 0]);
    for (const name of ['Device mode', 'Grid voltage', 'PV current 2', ...BALANCE]) {
      expect(hardware.readAt?.(0, name), name).toBeUndefined();
    }
    clock.advance(1_000);
    await hardware.write(0, 'Max charge current', 50);
    expect(timeOf('Max charge current')).toBe(4_000);
    expect(times()).toEqual([4_000, 4_000, 2_000, 3_000, 0]);
  });

  it.each(['truncate', 'corrupt'] as const)(
    'a damaged answer (%s) leaves out its own values',
    async (fault) => {
      const plugged = await connect(simulated());
      const hardware = await open(plugged);
      // The bus repeats the request, and the second answer is damaged too.
      plugged.faults.behave(fault, 2);
      const values = await read(hardware);
      expect(values).not.toHaveProperty('Grid voltage');
      expect(values).not.toHaveProperty('Load power');
      expect(values).toHaveProperty('Device mode');
      expect(plugged.bus.traffic.dropped).toBeGreaterThan(0);
      expect(await read(hardware)).toHaveProperty('Load power');
    },
  );

  it('the powers are left out when the mode could not be read', async () => {
    const answers: Record<string, string | Buffer> = { ...REAL };
    const hardware = await open(await connect((line) => scripted(answers)(line)));
    answers.QMOD = Buffer.from('2842e7c80d', 'hex');
    const values = await read(hardware);
    for (const name of BALANCE) expect(values).not.toHaveProperty(name);
    expect(values).toHaveProperty('AC output power', 250);
  });

  it('foreign and repeated frames do not change the reading', async () => {
    const plugged = await connect(simulated());
    const hardware = await open(plugged);
    const before = await read(hardware);
    plugged.faults.foreign = Buffer.concat([
      Buffer.from('(999.9 99'),
      frameOf(`(${'1'.repeat(32)}`),
      frameOf('(ACK'),
    ]);
    plugged.faults.behave('foreign');
    expect(await read(hardware)).toMatchObject({
      'Device mode': before['Device mode'],
      'Grid voltage': before['Grid voltage'],
    });
    plugged.faults.behave('double');
    expect(await read(hardware)).toMatchObject({
      'Device mode': before['Device mode'],
      'Grid voltage': before['Grid voltage'],
    });
    expect(plugged.bus.traffic.dropped).toBeGreaterThan(0);
  });

  it('a poll fails with LinkDown in silence and recovers afterwards', async () => {
    const plugged = await connect(simulated());
    const hardware = await open(plugged);
    plugged.faults.behave('silent');
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
    plugged.faults.behave('none');
    plugged.server.breakConnections();
    expect(await read(hardware)).toHaveProperty('Load power');
  });

  it('the hardware needs to be reopened when a setting has an unlisted value', async () => {
    const answers: Record<string, string | Buffer> = { ...REAL };
    const hardware = await open(await connect((line) => scripted(answers)(line)));
    await hardware.poll();
    expect(hardware.needsReopen).toBe(false);
    answers.QPIRI =
      '230.0 21.7 230.0 50.0 21.7 5000 4000 48.0 46.0 42.0 56.4 54.0 3 10 010 1 0 0 6 01 0 0 54.0 0 1';
    const polls = [await read(hardware), await read(hardware), await read(hardware)];
    expect(polls.at(-1)).toHaveProperty('Battery type', 'Pylontech');
    expect(hardware.needsReopen).toBe(true);
  });

  it('a poll fails with LinkDown when another inverter answers', async () => {
    const answers: Record<string, string | Buffer> = { ...REAL };
    const hardware = await open(await connect((line) => scripted(answers)(line)));
    answers.QID = '92931905109999';
    await expect(hardware.poll()).rejects.toThrow(/another inverter answers/);
  });
});

it.concurrent('the family opens an inverter at the pace of a real line', async () => {
  const plugged = await connect(scripted(REAL));
  const hardware = await pi30.open(plugged.bus, { unit: undefined, options: {} });
  expect(await read(hardware)).toMatchObject({ 'Load power': 293 });
});

it.concurrent('the described units list every quantity of the inverters', async () => {
  const serials = ['92931905100001', '92931905100002'];
  const homes = await Promise.all([simulated({ serials }), scripted(REAL)].map(connect));
  const units = (await Promise.all(homes.map((home) => open(home)))).flatMap((hardware) => hardware.units);
  expect(units).toHaveLength(3);
  for (const { quantities, settingsRefusal } of units) {
    const [inverter, another] = pi30.describedUnits;
    const described = (settingsRefusal === undefined ? inverter : another)?.rows ?? [];
    const names = new Set(described.map(({ quantity }) => quantity.name));
    expect(quantities.filter(({ name }) => !names.has(name))).toEqual([]);
  }
  for (const { rows } of pi30.describedUnits) {
    expect(new Set(rows.map(({ quantity }) => quantity.name)).size).toBe(rows.length);
  }
});

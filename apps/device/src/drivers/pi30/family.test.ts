import type { Attach } from '@heliograph/dev-env/serial';
import { ManualClock } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { LinkDown } from '../../bus/failures.ts';
import { NotRecognised } from '../driver.ts';
import { pi30 } from './family.ts';
import { frameOf } from './frame.ts';
import { BALANCE, expectBalance } from './testing/balance.ts';
import {
  MIDNIGHT,
  NOON,
  open,
  type PluggedIn,
  plugIn,
  read,
  scripted,
  simulated,
} from './testing/plugged-in.ts';
import { REAL } from './testing/real-answers.ts';

const running: PluggedIn[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});

async function connect(device: Attach): Promise<PluggedIn> {
  const plugged = await plugIn(device);
  running.push(plugged);
  return plugged;
}

describe('opening', () => {
  it('finds the simulated home, what it has and what can be set', async () => {
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

  it('reads a real unit, whose model, second MPPT and grid charge currents are not told', async () => {
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

  it('does without what a unit does not answer to at all', async () => {
    const nothing = Buffer.alloc(0);
    const hardware = await open(await connect(scripted({ ...REAL, QMCHGCR: nothing })));
    expect(await read(hardware)).toMatchObject({ 'PV power': 241, 'Serial number': '92931905106463' });
  });

  it.each([
    ['another protocol of the same maker', { QPI: 'PI18' }, /speaks PI18/],
    ['something that refuses everything', {}, /does not tell which protocol/],
    ['something that only says its name', { QPI: 'PI30' }, /refuses QPIGS/],
  ])('does not recognise %s', async (_name, answers, message) => {
    const opening = open(await connect(scripted(answers)));
    await expect(opening).rejects.toThrow(NotRecognised);
    await expect(opening).rejects.toThrow(message);
  });

  it('says that the link is down when nothing answers, or nothing but noise', async () => {
    const plugged = await connect(simulated());
    plugged.faults.behave('silent');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
    plugged.faults.behave('corrupt');
    await expect(open(plugged)).rejects.toThrow(LinkDown);
  });

  it.each([
    ['battery type AGM: estimated from the voltage', '0', undefined],
    ['battery type Pylontech: told by the battery', '3', 28],
  ])('takes the charge for known with %s', async (_name, type, charge) => {
    const text = String(REAL.QPIRI?.subarray(1, -3).toString('latin1'));
    const fields = text.split(' ').with(12, type);
    const hardware = await open(await connect(scripted({ ...REAL, QPIRI: fields.join(' ') })));
    const values = await read(hardware);
    expect(values['Battery state of charge']).toBe(charge);
    expect(values['Battery capacity']).toBe(28);
  });

  it('leaves the charger priority alone on the model that numbers it differently', async () => {
    const hardware = await open(await connect(scripted({ ...REAL, QGMN: '045' })));
    expect(await read(hardware)).not.toHaveProperty('Charger source priority');
  });
});

describe('powers', () => {
  it.each([
    ['at noon', NOON],
    ['at night', MIDNIGHT],
  ])('of the simulated home add up %s', async (_name, nowMs) => {
    const hardware = await open(await connect(simulated({}, nowMs)));
    const values = await read(hardware);
    expectBalance(values);
    if (nowMs === MIDNIGHT) expect(values['PV power']).toBe(0);
    else expect(values['PV power']).toBeGreaterThan(1000);
  });
});

describe('polling', () => {
  it('asks for status in every poll and for the rest in turn', async () => {
    const plugged = await connect(simulated());
    const hardware = await open(plugged);
    plugged.takeCommands();
    for (let poll = 0; poll < 3; poll++) await hardware.poll();
    const heard = plugged.takeCommands();
    expect(heard).toEqual(
      [
        ['QPIGS', 'QMOD', 'QPIGS2', 'QPIRI', 'QID'],
        ['QPIGS', 'QMOD', 'QPIGS2', 'QPIWS'],
        ['QPIGS', 'QMOD', 'QPIGS2', 'QFLAG'],
      ].flat(),
    );
    for (let poll = 0; poll < 15; poll++) await hardware.poll();
    heard.push(...plugged.takeCommands());
    for (const command of ['QID', 'QVFW', 'QMN', 'QPI', 'QMCHGCR', 'QMUCHGCR'])
      expect(heard).toContain(command);
  });

  it('tells when it read what it does not ask for in every poll', async () => {
    const clock = new ManualClock(NOON);
    const hardware = await open(await connect(simulated()), {}, clock);
    const times = () =>
      ['Serial number', 'Battery type', 'Warnings', 'Buzzer', 'Firmware version'].map((name) =>
        hardware.readAt?.(0, name),
      );
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
    expect(hardware.readAt?.(0, 'Max charge current')).toBe(4_000);
    expect(times()).toEqual([1_000, 4_000, 2_000, 3_000, 0]);
  });

  it.each(['truncate', 'corrupt'] as const)(
    'leaves out what one damaged answer would have told: %s',
    async (fault) => {
      const plugged = await connect(simulated());
      const hardware = await open(plugged);
      // Asked a second time, the answer is damaged again.
      plugged.faults.behave(fault, 2);
      const values = await read(hardware);
      expect(values).not.toHaveProperty('Grid voltage');
      expect(values).not.toHaveProperty('Load power');
      expect(values).toHaveProperty('Device mode');
      expect(plugged.bus.traffic.dropped).toBeGreaterThan(0);
      expect(await read(hardware)).toHaveProperty('Load power');
    },
  );

  it('does not mix powers of two moments when the mode was not told', async () => {
    const answers: Record<string, string | Buffer> = { ...REAL };
    const hardware = await open(await connect((line) => scripted(answers)(line)));
    answers.QMOD = Buffer.from('2842e7c80d', 'hex');
    const values = await read(hardware);
    for (const name of BALANCE) expect(values).not.toHaveProperty(name);
    expect(values).toHaveProperty('AC output power', 250);
  });

  it('is not misled by what is not meant for it', async () => {
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

  it('says that the link is down when nothing answers any more, and is there again afterwards', async () => {
    const plugged = await connect(simulated());
    const hardware = await open(plugged);
    plugged.faults.behave('silent');
    await expect(hardware.poll()).rejects.toThrow(LinkDown);
    plugged.faults.behave('none');
    plugged.server.breakConnections();
    expect(await read(hardware)).toHaveProperty('Load power');
  });

  it('asks to be opened again when a setting was put to something that it did not offer', async () => {
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

  it('is over when another inverter has come in place of the one that was opened', async () => {
    const answers: Record<string, string | Buffer> = { ...REAL };
    const hardware = await open(await connect((line) => scripted(answers)(line)));
    answers.QID = '92931905109999';
    await expect(hardware.poll()).rejects.toThrow(/another inverter answers/);
  });
});

it('is found through the family, at the pace of a real line', async () => {
  const plugged = await connect(scripted(REAL));
  const hardware = await pi30.open(plugged.bus, { unit: undefined, options: {} });
  expect(await read(hardware)).toMatchObject({ 'Load power': 293 });
});

it('describes all that its inverters have', async () => {
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

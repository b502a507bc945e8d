import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { quantities } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import type { Unit } from '../../drivers/driver.ts';
import { boardModel, deviceFacts, type UnitOfFamily } from './device-facts.ts';

const { voltage } = quantities;

function unit(kind: Unit['kind'], ...names: readonly string[]): UnitOfFamily {
  return { kind, model: null, family: 'deye', quantities: names.map((name) => voltage(name)) };
}

const facts = (...units: readonly UnitOfFamily[]) =>
  deviceFacts({ units, silentSince: [], beta: false, host: '192.0.2.7', port: 80 });

describe('the facts of a device', () => {
  it.each<[string, readonly UnitOfFamily[], object]>([
    ['no inverter', [], {}],
    ['an inverter that reports neither', [unit('inverters', 'Load power')], {}],
    [
      'one phase and one PV input',
      [unit('inverters', 'Grid voltage', 'PV voltage')],
      { phases: 1, pv_inputs: 1 },
    ],
    [
      'three phases and two PV inputs',
      [
        unit(
          'inverters',
          'Grid voltage 1',
          'Grid voltage 2',
          'Grid voltage 3',
          'PV voltage 1',
          'PV voltage 2',
        ),
      ],
      { phases: 3, pv_inputs: 2 },
    ],
    [
      'a voltage of all phases beside those of each',
      [unit('inverters', 'Grid voltage', 'Grid voltage 1', 'Grid voltage 2')],
      { phases: 2 },
    ],
    [
      'two inverters that differ',
      [unit('inverters', 'Grid voltage'), unit('inverters', 'Grid voltage 1', 'Grid voltage 2')],
      { phases: 2 },
    ],
  ])('the inverter parameters of %s are counted from its quantities', (_what, units, params) => {
    expect(facts(...units).inverter_params).toEqual(
      units.length === 0 ? params : { family: 'deye', ...params },
    );
  });

  it('the battery parameters count cells, and no statistics of them', () => {
    const cells = Array.from({ length: 16 }, (_, index) => `Cell voltage ${index + 1}`);
    const battery = unit('batteries', ...cells, 'Cell voltage - Highest', 'Cell voltage - Average');
    expect(facts(battery)).toMatchObject({
      inverter_params: {},
      battery_params: { family: 'deye', cells: 16 },
    });
  });

  it('the parameters name each driver family once, beside the models that the hardware reports', () => {
    const inverters = ['sunspec', 'deye', 'sunspec'].map((family) => ({ ...unit('inverters'), family }));
    const battery = { ...unit('batteries'), model: 'US5000', family: 'pylontech' };
    expect(facts(...inverters, battery)).toMatchObject({
      inverter: null,
      inverter_params: { family: 'sunspec, deye' },
      battery: 'US5000',
      battery_params: { family: 'pylontech' },
    });
  });

  it('the hardware has been silent since the first connection that does not answer', () => {
    const source = { units: [], beta: false, host: '192.0.2.7', port: 80 };
    const [first, second] = [Date.UTC(2026, 10, 26, 9), Date.UTC(2026, 10, 26, 10)];
    expect(deviceFacts({ ...source, silentSince: [second, first] }).hardware_silent_since).toBe(
      '2026-11-26T09:00:00.000Z',
    );
    expect(deviceFacts({ ...source, silentSince: [] }).hardware_silent_since).toBeNull();
  });

  it.each<[string, number, string]>([
    ['192.0.2.7', 80, '192.0.2.7'],
    ['192.0.2.7', 4002, '192.0.2.7:4002'],
    ['2001:db8::1', 4002, '[2001:db8::1]:4002'],
  ])('a device that listens on %s and %i is reached at %s', (host, port, address) => {
    expect(deviceFacts({ units: [], silentSince: [], beta: false, host, port }).local_ip).toBe(address);
  });

  it('each model is named once, and long lists end where the cloud takes no more', () => {
    const named = (kind: Unit['kind'], model: string | null) => ({ ...unit(kind), model });
    const models = ['SUN-12K', 'SUN-8K', null, 'SUN-12K'].map((model) => named('inverters', model));
    expect(facts(...models, named('batteries', 'US5000'), named('batteries', 'US5000'))).toMatchObject({
      inverter: 'SUN-12K, SUN-8K',
      inverter_count: 4,
      battery: 'US5000',
      battery_count: 2,
    });
    const long = { ...named('inverters', 'm'.repeat(130)), family: 'f'.repeat(70) };
    expect(facts(long)).toMatchObject({
      inverter: 'm'.repeat(128),
      inverter_params: { family: 'f'.repeat(64) },
      battery: null,
    });
  });

  it.each([
    ['a NUL at its end', 'Raspberry Pi 4 Model B Rev 1.4\0', 'Raspberry Pi 4 Model B Rev 1.4'],
    ['spaces around it', ' Board\n', 'Board'],
    ['more than the cloud takes', 'b'.repeat(129), 'b'.repeat(128)],
    ['nothing in it', '\0', null],
    ['no file', undefined, null],
  ])('the name of a board with %s is read as %s', async (_what, text, name) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'model');
    if (text !== undefined) await writeFile(file, text);
    expect(boardModel(file)).toBe(name);
  });

  it('a device on the channel beta takes beta releases', () => {
    const source = { units: [], silentSince: [], host: '192.0.2.7', port: 80 };
    expect(deviceFacts({ ...source, beta: true }).beta).toBe(true);
    expect(deviceFacts({ ...source, beta: false }).beta).toBe(false);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Unit } from '../../drivers/driver.ts';
import { openDatabase } from '../../storage/database.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { KnownUnits } from './known-units.ts';

const inverter: Unit = { kind: 'inverters', model: 'X', quantities: [quantities.power('PV power')] };
const battery: Unit = { kind: 'batteries', model: null, quantities: [quantities.voltage('Voltage')] };

let folder: string;
let store: KeyValueStore;
let close: () => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'device-units-'));
  const db = openDatabase(folder);
  store = new KeyValueStore(db);
  close = () => db.close();
});

afterEach(() => {
  close();
  rmSync(folder, { recursive: true });
});

const topics = (units: KnownUnits): readonly string[] =>
  units.all().flatMap(({ definitions }) => definitions.map(({ topic }) => topic));

describe('the numbers of inverters and batteries', () => {
  it('numbers follow the order in which units are found', () => {
    const units = new KnownUnits(store, [{ url: 'a' }, { url: 'b' }]);
    units.update('a', [inverter, battery, battery]);
    units.update('b', [inverter, battery]);
    expect(topics(units)).toEqual([
      'inverter_1/pv_power',
      'battery_1/voltage',
      'battery_2/voltage',
      'inverter_2/pv_power',
      'battery_3/voltage',
    ]);
  });

  it('numbers stay through a restart, before anything is found again', () => {
    const before = new KnownUnits(store, [{ url: 'a' }, { url: 'b' }]);
    before.update('b', [inverter]);
    before.update('a', [inverter]);
    const after = new KnownUnits(store, [{ url: 'a' }, { url: 'b' }]);
    expect(topics(after)).toEqual(['inverter_2/pv_power', 'inverter_1/pv_power']);
    after.update('a', [inverter]);
    expect(topics(after)).toEqual(['inverter_2/pv_power', 'inverter_1/pv_power']);
  });

  it('numbers stay when a unit comes or goes on the same connection', () => {
    const units = new KnownUnits(store, [{ url: 'a' }, { url: 'b' }]);
    units.update('a', [battery]);
    units.update('b', [battery]);
    units.update('a', [battery, battery]);
    expect(topics(units)).toEqual(['battery_1/voltage', 'battery_3/voltage', 'battery_2/voltage']);
    units.update('a', [battery]);
    expect(topics(units)).toEqual(['battery_1/voltage', 'battery_2/voltage']);
  });

  describe('of connections that answer in another order than they are configured', () => {
    const inverters = (...urls: readonly string[]) =>
      urls.map((url) => ({ url, kinds: ['inverters'] as const }));
    const hybrid: Unit = { ...inverter, model: 'Hybrid' };

    it('numbers are those of the configuration', () => {
      const units = new KnownUnits(store, inverters('a', 'b', 'c', 'd'));
      for (const url of ['d', 'b', 'a', 'c']) units.update(url, [inverter]);
      expect(topics(units)).toEqual([1, 2, 3, 4].map((number) => `inverter_${number}/pv_power`));
    });

    it('a connection that never answers has its number kept back, also through a restart, and later ones work', () => {
      const before = new KnownUnits(store, inverters('dead', 'b', 'c'));
      before.update('b', [inverter]);
      const after = new KnownUnits(store, inverters('dead', 'b', 'c'));
      after.update('c', [inverter]);
      expect(topics(after)).toEqual(['inverter_2/pv_power', 'inverter_3/pv_power']);
      after.update('dead', [inverter]);
      expect(topics(after)[0]).toBe('inverter_1/pv_power');
    });

    it('a connection that is taken out of the configuration gives its number to the next new one', () => {
      new KnownUnits(store, inverters('dead', 'b')).update('b', [inverter]);
      const after = new KnownUnits(store, inverters('b', 'new'));
      after.update('new', [inverter]);
      expect(topics(after)).toEqual(['inverter_2/pv_power', 'inverter_1/pv_power']);
    });

    it('one number of each kind is kept back, and only of kinds that the driver always has', () => {
      const units = new KnownUnits(store, [
        { url: 'deye', kinds: ['inverters'] },
        { url: 've.direct' },
        { url: 'pylontech', kinds: ['batteries'] },
      ]);
      units.update('pylontech', [battery, battery]);
      units.update('deye', [hybrid, battery]);
      units.update('ve.direct', [inverter]);
      expect(topics(units)).toEqual([
        'inverter_1/pv_power',
        'battery_3/voltage',
        'inverter_2/pv_power',
        'battery_1/voltage',
        'battery_2/voltage',
      ]);
    });

    it('stored numbers stay as they are', () => {
      const before = new KnownUnits(store, inverters('b'));
      before.update('b', [inverter]);
      const after = new KnownUnits(store, inverters('a', 'b', 'c'));
      after.update('c', [inverter]);
      after.update('b', [inverter]);
      after.update('a', [inverter]);
      expect(topics(after)).toEqual(['inverter_2/pv_power', 'inverter_1/pv_power', 'inverter_3/pv_power']);
    });
  });

  it('numbers of connections that are no longer configured are free again', () => {
    new KnownUnits(store, [{ url: 'old' }]).update('old', [inverter]);
    const units = new KnownUnits(store, [{ url: 'new' }]);
    units.update('new', [inverter]);
    expect(topics(units)).toEqual(['inverter_1/pv_power']);
  });
});

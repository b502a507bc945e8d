import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Unit } from '../drivers/driver.ts';
import { openDatabase } from '../storage/database.ts';
import { KeyValueStore } from '../storage/key-value.ts';
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
    const units = new KnownUnits(store, ['a', 'b']);
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
    const before = new KnownUnits(store, ['a', 'b']);
    before.update('b', [inverter]);
    before.update('a', [inverter]);
    const after = new KnownUnits(store, ['a', 'b']);
    expect(topics(after)).toEqual(['inverter_2/pv_power', 'inverter_1/pv_power']);
    after.update('a', [inverter]);
    expect(topics(after)).toEqual(['inverter_2/pv_power', 'inverter_1/pv_power']);
  });

  it('numbers stay when a unit comes or goes on the same connection', () => {
    const units = new KnownUnits(store, ['a', 'b']);
    units.update('a', [battery]);
    units.update('b', [battery]);
    units.update('a', [battery, battery]);
    expect(topics(units)).toEqual(['battery_1/voltage', 'battery_3/voltage', 'battery_2/voltage']);
    units.update('a', [battery]);
    expect(topics(units)).toEqual(['battery_1/voltage', 'battery_2/voltage']);
  });

  it('numbers of connections that are no longer configured are free again', () => {
    new KnownUnits(store, ['old']).update('old', [inverter]);
    const units = new KnownUnits(store, ['new']);
    units.update('new', [inverter]);
    expect(topics(units)).toEqual(['inverter_1/pv_power']);
  });
});

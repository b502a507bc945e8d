import { gxBank, serviceRegisters } from '@heliograph/dev/plant/victron-gx';
import { expect, it } from 'vitest';
import { gxWith } from '../../test/drivers/victron-gx/gx.ts';
import { FAMILY_DIFFERENCES } from '../../test/settings/family-differences.ts';
import { modbusFamily, modbusTable } from '../../test/settings/modbus-table.ts';
import { startModbusUnit } from '../../test/settings/modbus-unit.ts';
import { startVeDirectUnit } from '../../test/settings/ve-direct-unit.ts';
import { startVoltronicUnit } from '../../test/settings/voltronic-unit.ts';
import { BEHAVIOURS, MODBUS_BEHAVIOURS, REFUSED_BEHAVIOURS } from '../../test/settings/write-behaviours.ts';
import { describeWrites, type Table, tableOf } from '../../test/settings/write-table.ts';
import {
  GX_SETTINGS,
  MODBUS_SETTINGS,
  VE_DIRECT_SETTINGS,
  VOLTRONIC_SETTINGS,
} from '../../test/settings/written-settings.ts';
import { loadFamilies } from '../drivers/families/families.ts';

function gxTable(): Table {
  const units = new Map([
    [100, gxWith({ 2700: 50, 2900: 10, 2902: 1 })],
    [227, serviceRegisters('vebus', { 28: 1, 33: 3 })],
  ]);
  const bank = gxBank(
    () => units,
    (unitId, address, values) => {
      for (const [index, value] of values.entries()) units.get(unitId)?.set(address + index, value);
    },
  );
  const options = { vebus: 227, batteries: [], solar_chargers: [] };
  const family = modbusFamily('victron-gx');
  return tableOf({
    family: family.name,
    settings: GX_SETTINGS,
    behaviours: [...BEHAVIOURS, ...MODBUS_BEHAVIOURS],
    start: (clock) => startModbusUnit({ family, unitId: 100, bank, line: 'modbus-tcp', clock, options }),
  });
}

/** Those that wait longest come first. */
const kindTables: readonly Table[] = [
  ...VE_DIRECT_SETTINGS.map((setting) =>
    tableOf({
      family: 'victron',
      settings: [setting],
      behaviours: [...BEHAVIOURS, ...REFUSED_BEHAVIOURS],
      start: startVeDirectUnit,
      intervalMs: 70_000,
    }),
  ),
  ...(['pi17', 'pi18', 'pi30'] as const).map((family) =>
    tableOf({
      family,
      settings: VOLTRONIC_SETTINGS[family],
      behaviours: [...BEHAVIOURS, ...REFUSED_BEHAVIOURS],
      start: (clock) => startVoltronicUnit(family, clock),
      polls: 4,
    }),
  ),
  ...Object.entries(MODBUS_SETTINGS).map(([family, settings]) => modbusTable(family, 'modbus-tcp', settings)),
  gxTable(),
];

describeWrites('each kind of setting', kindTables, (observed) => {
  it.each([...new Set(kindTables.map(({ family }) => family))])(
    'every kind of setting of %s is written',
    (family) => {
      const kinds = observed()
        .filter((table) => table.family === family)
        .map((table) => table.kinds);
      const written = new Set(kinds.flatMap((one) => one.written));
      expect(written).toEqual(new Set(kinds.flatMap(({ has }) => has)));
    },
  );
});

it('every family with settings has a table', async () => {
  const families = await loadFamilies();
  const withSettings = [...families.values()].filter(({ describedUnits }) =>
    describedUnits.some(({ rows }) => rows.some(({ quantity }) => quantity.setting !== undefined)),
  );
  const written = new Set(kindTables.flatMap(({ rows }) => rows.map(({ family }) => family)));
  expect([...written].toSorted()).toEqual(withSettings.map(({ name }) => name).toSorted());
});

it('every difference of a family is one of its rows', () => {
  const rows = kindTables.flatMap((table) => table.rows);
  for (const [family, differences] of Object.entries(FAMILY_DIFFERENCES)) {
    const names = rows.filter((row) => row.family === family).map(({ behaviour }) => behaviour.name);
    expect(names).toEqual(expect.arrayContaining(differences.map(({ behaviour }) => behaviour)));
  }
});

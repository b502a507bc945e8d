import { describe } from 'vitest';
import { modbusTable } from './testing/modbus-table.ts';
import { describeWrites } from './testing/write-table.ts';
import { MODBUS_SETTINGS } from './testing/written-settings.ts';

describe.each(['modbus-rtu-tcp', 'solarman'] as const)('over %s', (line) => {
  describeWrites(
    'each kind of setting',
    Object.entries(MODBUS_SETTINGS).map(([family, settings]) => modbusTable(family, line, settings)),
  );
});

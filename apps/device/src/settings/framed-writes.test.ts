import { describe } from 'vitest';
import { modbusTable } from '../../test/settings/modbus-table.ts';
import { describeWrites } from '../../test/settings/write-table.ts';
import { MODBUS_SETTINGS } from '../../test/settings/written-settings.ts';

const { deye: [chargeCurrent] = [], huawei = [] } = MODBUS_SETTINGS;
if (chargeCurrent === undefined) throw new Error('deye has no setting');

// A line frames what every family has it write: a register by function 6, one by function 16, and two.
describe.each(['modbus-rtu-tcp', 'solarman'] as const)('over %s', (line) => {
  describeWrites('each form of a write', [
    modbusTable('deye', line, [chargeCurrent]),
    modbusTable('huawei', line, huawei),
  ]);
});

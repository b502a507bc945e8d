import { recordedUnit } from '@heliograph/dev/modbus';
import type { ManualClock } from '@heliograph/kit';
import type { ModbusFamily } from '../../src/drivers/driver.ts';
import { loadFamilies } from '../../src/drivers/families/families.ts';
import { registersWith } from '../drivers/deye/registers.ts';
import { bankOf } from '../drivers/deye/rtu-inverter.ts';
import { chain } from '../drivers/sunspec/settable-inverter.ts';
import { type ModbusLine, startModbusUnit } from './modbus-unit.ts';
import {
  BEHAVIOURS,
  ECHO_BEHAVIOURS,
  FUNCTION_BEHAVIOURS,
  MODBUS_BEHAVIOURS,
  NAMED_BEHAVIOURS,
  REGISTER_BEHAVIOURS,
} from './write-behaviours.ts';
import { type Table, tableOf } from './write-table.ts';
import type { ModbusSetting } from './written-settings.ts';

const families = await loadFamilies();

/** @throws Error for another family */
export function modbusFamily(name: string): ModbusFamily {
  const family = families.get(name);
  if (family?.speaks !== 'modbus') throw new Error(`${name} is not a Modbus family`);
  return family;
}

/** The registers of a unit of a family. */
async function unitOf(family: string) {
  if (family === 'deye') return { unitId: 1, bank: bankOf(registersWith(3, {})) };
  if (family === 'sunspec') return { unitId: chain.unitId, bank: bankOf(new Map(chain.registers)) };
  const bank = await recordedUnit(family, []);
  return { unitId: bank.unitId, bank };
}

/**
 * Those with code of their own for writes; and of the profiles, which share theirs, one with a number in two registers, and one with
 * settings that share a register. The others differ in registers and values.
 */
const WITH_EVERY_BEHAVIOUR = new Set(['deye', 'sunspec', 'huawei', 'solis']);

/** Writes to a Modbus family over one of its lines. */
export function modbusTable(family: string, line: ModbusLine, settings: readonly ModbusSetting[]): Table {
  const all = [
    ...BEHAVIOURS,
    ...MODBUS_BEHAVIOURS,
    ...FUNCTION_BEHAVIOURS,
    ...(settings.some(({ frame }) => frame.startsWith('06')) ? NAMED_BEHAVIOURS : []),
    ...(line === 'modbus-rtu-tcp' ? ECHO_BEHAVIOURS : []),
  ];
  const behaviours = WITH_EVERY_BEHAVIOUR.has(family) ? all : REGISTER_BEHAVIOURS;
  const start = async (clock: ManualClock) =>
    startModbusUnit({ family: modbusFamily(family), line, clock, ...(await unitOf(family)) });
  // The other lines differ in what is sent and answered, not in what polls before it have read.
  return tableOf({ family, settings, behaviours, start, pollsBefore: line === 'modbus-tcp' });
}

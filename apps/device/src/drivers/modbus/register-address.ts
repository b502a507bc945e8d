import type { ModbusBus, RegisterTable } from '../../bus/modbus/modbus-bus.ts';

/** Input registers (function 4) have the addresses from here on, holding registers those below. */
const INPUT_START = 0x1_0000;

/** @returns the address among all registers of a unit: 0 to 0xFFFF are holding registers, the rest input registers */
export function addressIn(table: RegisterTable, register: number): number {
  return table === 'input' ? INPUT_START + register : register;
}

export function tableOf(address: number): RegisterTable {
  return address < INPUT_START ? 'holding' : 'input';
}

/**
 * Reads neighbouring registers of one table.
 *
 * @throws ModbusException, LinkDown as the bus does
 */
export function readAt(
  bus: ModbusBus,
  unitId: number,
  address: number,
  count: number,
): Promise<readonly number[]> {
  return bus.read(unitId, address % INPUT_START, count, tableOf(address));
}

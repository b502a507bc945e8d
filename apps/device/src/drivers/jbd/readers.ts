import type { ByteBus } from '../../bus/byte-bus.ts';
import type { BatteryReader } from '../battery-hardware.ts';
import type { Entry } from '../entries.ts';
import { RequestRefused } from '../frame-errors.ts';
import { COMMAND, type DdCommand } from './dd-commands.ts';
import { ddData, ddRule, encodeDdRequest } from './dd-frame.ts';
import { encodeUpRequest, PACK_STATUS, upData, upRule } from './up-frame.ts';
import { parsePackStatus } from './up-status.ts';

/** Values and cells in every poll; name and counts in turn. */
export function ddReader(bus: ByteBus, timeoutMs: number): BatteryReader {
  const read = async ({ code, parse }: DdCommand): Promise<readonly Entry[]> =>
    parse(ddData(await bus.read(encodeDdRequest(code), ddRule(code, parse, timeoutMs)), code));
  const ifKnown = async (command: DdCommand): Promise<readonly Entry[]> => {
    try {
      return await read(command);
    } catch (error) {
      if (error instanceof RequestRefused) return [];
      throw error;
    }
  };
  return {
    status: () => read(COMMAND.values),
    extras: [() => ifKnown(COMMAND.cells)],
    slow: [COMMAND.name, COMMAND.protectionCounts].map((command) => ({
      unit: 0,
      read: () => ifKnown(command),
    })),
  };
}

/** One answer has all values of a pack. @param unit its address, from 1 */
export function upReader(bus: ByteBus, unit: number, timeoutMs: number): BatteryReader {
  const status = async (): Promise<readonly Entry[]> => {
    const rule = upRule(unit, PACK_STATUS, parsePackStatus, timeoutMs);
    const answer = await bus.read(encodeUpRequest(unit, PACK_STATUS), rule);
    return parsePackStatus(upData(answer, unit, PACK_STATUS));
  };
  return { status, slow: [] };
}

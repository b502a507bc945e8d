import { LinkDown } from '../../bus/failures.ts';
import { NotRecognised } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { RequestRefused } from '../frame-errors.ts';
import type { SlowRead } from '../rotation.ts';
import type { ModuleAnswer } from './analog.ts';
import type { PylontechRequest } from './answers.ts';
import { COMMAND } from './commands.ts';
import type { PylontechLine } from './line.ts';
import { exchange } from './rs485-exchange.ts';

/** More modules than a group can have addresses for. */
const MOST_MODULES = 13;

/** A master and its slaves, and how they like to be asked for their measured values. */
export interface ModuleGroup {
  readonly addresses: readonly number[];
  /** Whether the master tells of all modules at once. */
  readonly together: boolean;
}

/**
 * Counts the modules behind a master, which answers for all of them.
 *
 * @throws LinkDown when nothing answers, NotRecognised when what answers measures nothing
 */
export async function findGroup(line: PylontechLine, master: number): Promise<ModuleGroup> {
  const all = await answerOrNothing(line, { command: COMMAND.analog, address: master, all: true });
  if (all !== undefined) return { addresses: all.map(({ address }) => address), together: true };
  const addresses: number[] = [];
  for (let address = master; address < master + MOST_MODULES; address++) {
    if ((await measured(line, address, address === master)) === undefined) break;
    addresses.push(address);
  }
  if (addresses.length === 0) throw new NotRecognised(`battery ${master} answers, and tells no values`);
  return { addresses, together: false };
}

/** A slave that is not there may be silent; a master that is silent is no battery at all. */
async function measured(line: PylontechLine, address: number, master: boolean) {
  try {
    return await answerOrNothing(line, { command: COMMAND.analog, address });
  } catch (error) {
    if (master || !(error instanceof LinkDown)) throw error;
    return undefined;
  }
}

/** @returns nothing when the battery refuses. @throws LinkDown */
export async function answerOrNothing(
  line: PylontechLine,
  request: PylontechRequest,
): Promise<readonly ModuleAnswer[] | undefined> {
  try {
    return await exchange(line, request);
  } catch (error) {
    if (error instanceof RequestRefused) return undefined;
    throw error;
  }
}

/** What does not change while a module is fitted; the master alone tells its name. */
export function slowReads(line: PylontechLine, addresses: readonly number[]): readonly SlowRead[] {
  return addresses.flatMap((address, unit) => {
    const commands = [COMMAND.serialNumber, COMMAND.firmware, COMMAND.systemParameters];
    return (unit === 0 ? [COMMAND.manufacturer, ...commands] : commands).map((command) => ({
      unit,
      read: async (): Promise<readonly Entry[]> =>
        (await answerOrNothing(line, { command, address }))?.flatMap(({ entries }) => entries) ?? [],
    }));
  });
}

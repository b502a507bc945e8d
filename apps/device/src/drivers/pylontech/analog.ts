import { AnswerReader, MAX_CELLS, MAX_SENSORS } from '../answer-reader.ts';
import { BATTERY, cellEntries, temperatureNumber, terminalEntries } from '../battery-quantities.ts';
import type { Entry } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { celsius } from '../kelvin.ts';

/** The values of one battery, which is identified by its address or its place in the group's answer. */
export interface ModuleAnswer {
  readonly address: number;
  readonly entries: readonly Entry[];
}

/** "User defined items" of packs up to 65 Ah and of those above, which add capacities of 24 bits. */
const SMALL_PACK = 2;
const LARGE_PACK = 4;

/**
 * The answer to 42H: INFOFLAG 1, then either the address that was requested and its block, or the number of modules and
 * a block each.
 *
 * @param requested the address of the request, or `master` for all of its group, whose addresses count from it
 * @throws BadFrame
 */
export function parseAnalog(info: Uint8Array, requested: RequestedModules): readonly ModuleAnswer[] {
  const reader = new AnswerReader(info);
  reader.take('u8');
  const addresses = takeAddresses(reader, requested);
  const modules = addresses.map((address) => ({ address, entries: takeModule(reader) }));
  reader.end();
  return modules;
}

export type RequestedModules = { readonly address: number } | { readonly master: number };

/** @throws BadFrame when it is the answer of another battery */
export function takeAddresses(reader: AnswerReader, requested: RequestedModules): readonly number[] {
  const first = reader.take('u8');
  if ('master' in requested) {
    if (first === 0) throw new BadFrame('the answer is of no battery at all');
    return Array.from({ length: first }, (_, index) => requested.master + index);
  }
  if (first !== requested.address)
    throw new BadFrame(`battery ${first} answered in place of ${requested.address}`);
  return [requested.address];
}

/** M, M cells in mV; T, T temperatures; current in 0.1 A; voltage in mV; capacities in mAh; cycles. */
function takeModule(reader: AnswerReader): readonly Entry[] {
  const cells = reader.takeList('s16', MAX_CELLS).map((millivolts) => millivolts / 1000);
  const [board = null, ...groups] = reader.takeList('u16', MAX_SENSORS).map((raw) => celsius(raw));
  const amps = reader.take('s16') / 10;
  const volts = reader.take('u16') / 1000;
  const { remaining, total, cycles } = takeCapacities(reader);
  return [
    [BATTERY.stateOfCharge, total === 0 ? null : (100 * remaining) / total],
    ...terminalEntries(volts, amps),
    [BATTERY.temperature, board],
    ...groups.map((group, index): Entry => [temperatureNumber(index + 1), group]),
    [BATTERY.capacity, total],
    [BATTERY.chargeCapacity, remaining],
    [BATTERY.cycles, cycles],
    ...cellEntries(cells),
  ];
}

/** In ampere-hours. The fields of 16 bits read FFFF in large packs, where others of 24 bits follow. */
function takeCapacities(reader: AnswerReader) {
  const remaining = reader.take('u16') / 1000;
  const items = reader.take('u8');
  const total = reader.take('u16') / 1000;
  const cycles = reader.take('u16');
  if (items === SMALL_PACK) return { remaining, total, cycles };
  if (items !== LARGE_PACK) throw new BadFrame(`the answer holds ${items} items of unknown meaning`);
  return { cycles, remaining: reader.take('u24') / 1000, total: reader.take('u24') / 1000 };
}

import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments, table, UsageError } from '@heliograph/kit/terminal';
import { type ModbusBus, ModbusException, type RegisterTable } from '../../bus/modbus/modbus-bus.ts';
import { openModbusBus } from '../../bus/open-bus.ts';
import { busOption, unitOption } from './bus-options.ts';
import { CommandFailed, type DeviceCommand } from './command.ts';

/** Registers in one request: all hardware takes as many. */
const BLOCK = 20;

/** Between two requests, in milliseconds: a display or a logger may use the line, too. */
const PAUSE_MS = 50;

const LINE = { baudRate: 9_600, parity: 'none', stopBits: 1 } as const;

const DEFAULT_UNIT = 1;

export const exploreCommand: DeviceCommand = {
  name: 'explore',
  summary: 'show the registers of unknown Modbus hardware, and which of them move',
  help: `heliograph device explore --bus URL --from REGISTER --to REGISTER [OPTIONS]

Reads registers over and over, and prints each that there is: as a number without and with sign, as hexadecimal and text,
and how many contents it had. Registers that move with the sun or the load are measurements. Nothing is written.

  --unit NUMBER   the unit (slave) id; 1
  --table NAME    holding (function 3) or input (function 4); holding
  --rounds COUNT  how often all are read; 3
  --every S       seconds between two rounds; 2`,

  async run(args, world) {
    const { values, positionals } = parseArguments(args, {
      bus: { type: 'string' },
      unit: { type: 'string' },
      table: { type: 'string', default: 'holding' },
      from: { type: 'string' },
      to: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      every: { type: 'string', default: '2' },
    });
    expectArguments(positionals, []);
    const registers = tableOption(values.table);
    const [from, to] = [registerOption('from', values.from), registerOption('to', values.to)];
    if (to < from) throw new UsageError('--to is before --from');
    const rounds = countOption('rounds', values.rounds);
    const everyMs = countOption('every', values.every, 0) * 1000;
    const bus = openModbusBus(busOption(values.bus), LINE, systemClock);
    const unit = unitOption(values.unit) ?? DEFAULT_UNIT;
    const seen = new Map<number, number[]>();
    try {
      for (let round = 1; round <= rounds; round++) {
        if (round > 1) await delay(everyMs);
        await readAll(bus, { unit, registers, from, to }, seen);
      }
    } catch (error) {
      throw new CommandFailed(error instanceof Error ? error.message : String(error));
    } finally {
      await bus.close();
    }
    if (seen.size === 0) throw new CommandFailed(`unit ${unit} has none of these ${registers} registers`);
    world.print(rowsOf(seen).join('\n'));
  },
};

interface Range {
  readonly unit: number;
  readonly registers: RegisterTable;
  readonly from: number;
  readonly to: number;
}

async function readAll(bus: ModbusBus, range: Range, seen: Map<number, number[]>): Promise<void> {
  const { from, to } = range;
  for (let first = from; first <= to; first += BLOCK) {
    await readBlock(bus, { ...range, from: first, to: Math.min(to, first + BLOCK - 1) }, seen);
  }
}

/** A block that is refused is read in halves, down to the one register that there is not. */
async function readBlock(bus: ModbusBus, range: Range, seen: Map<number, number[]>): Promise<void> {
  const { unit, registers, from, to } = range;
  await delay(PAUSE_MS);
  try {
    const values = await bus.read(unit, from, to - from + 1, registers);
    for (const [index, value] of values.entries()) {
      seen.set(from + index, [...(seen.get(from + index) ?? []), value]);
    }
  } catch (error) {
    if (!(error instanceof ModbusException)) throw error;
    if (from === to) return;
    const middle = Math.floor((from + to) / 2);
    await readBlock(bus, { ...range, to: middle }, seen);
    await readBlock(bus, { ...range, from: middle + 1 }, seen);
  }
}

function rowsOf(seen: ReadonlyMap<number, readonly number[]>): readonly string[] {
  const rows = [...seen].map(([register, contents]) => {
    const last = contents.at(-1) ?? 0;
    const count = new Set(contents).size;
    const signed = last >= 0x8000 ? last - 0x1_0000 : last;
    const letters = [last >> 8, last & 0xff].map((byte) => String.fromCharCode(byte)).join('');
    return [
      String(register),
      last.toString(16).padStart(4, '0'),
      String(last),
      signed === last ? '' : String(signed),
      /^[ -~]+$/.test(letters) ? letters : '',
      count > 1 ? `${count} contents, ${Math.min(...contents)} to ${Math.max(...contents)}` : '',
    ];
  });
  const titles = ['REGISTER', 'HEX', 'NUMBER', 'SIGNED', 'TEXT', 'MOVES'];
  return table(
    titles.map((title) => ({ title })),
    rows,
  );
}

function tableOption(text: string): RegisterTable {
  if (text === 'holding' || text === 'input') return text;
  throw new UsageError('--table must be holding or input');
}

/** Decimal, or hexadecimal with 0x. */
function registerOption(name: string, text: string | undefined): number {
  if (text === undefined) throw new UsageError(`--${name} is missing`);
  const register = /^(0x[0-9a-f]{1,4}|\d{1,5})$/i.test(text) ? Number(text) : Number.NaN;
  if (register <= 0xffff) return register;
  throw new UsageError(`--${name} must be a register from 0 to 65535`);
}

function countOption(name: string, text: string, least = 1): number {
  const count = Number(text);
  if (/^\d{1,4}$/.test(text) && count >= least) return count;
  throw new UsageError(`--${name} must be a whole number from ${least}`);
}

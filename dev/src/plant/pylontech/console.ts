import type { Duplex } from 'node:stream';
import { BATTERY } from '../physics/battery.ts';
import type { SimulatedPlant } from '../physics/simulated-plant.ts';
import { CELLS, MANUFACTURER, MODEL, type Module, modulesOf, serialNumber } from './modules.ts';
import type { StackOptions } from './rs485.ts';

const PROMPT = 'pylon>';
const NEW_LINE = '\r\n';
const PLACES = 16;

/** Headings of `pwr` and how wide their columns are. */
const COLUMNS: readonly (readonly [heading: string, width: number])[] = [
  ['Power', 6],
  ['Volt', 7],
  ['Curr', 7],
  ['Tempr', 7],
  ['Tlow', 7],
  ['Thigh', 7],
  ['Vlow', 7],
  ['Vhigh', 7],
  ['Base.St', 9],
  ['Volt.St', 9],
  ['Curr.St', 9],
  ['Temp.St', 9],
  ['Coulomb', 9],
  ['Time', 21],
  ['B.V.St', 9],
  ['B.T.St', 9],
  ['MosTempr', 9],
  ['M.T.St', 6],
];

/**
 * The console of a master battery: it echoes what is typed, and answers `pwr` and `info`.
 *
 * @returns attaches the console to a line, and returns what detaches it
 */
export function pylontechConsole(
  plant: SimulatedPlant,
  { modules = 4 }: StackOptions = {},
): (line: Duplex) => () => void {
  return (line) => {
    let typed = '';
    const take = (bytes: Buffer): void => {
      typed += bytes.toString('latin1');
      for (let end = typed.indexOf('\r'); end >= 0; end = typed.indexOf('\r')) {
        const command = typed.slice(0, end).trim();
        typed = typed.slice(end + 1);
        line.write(`${command}${NEW_LINE}${answerTo(command)}${NEW_LINE}${PROMPT}`, 'latin1');
      }
    };
    line.on('data', take);
    return () => line.off('data', take);
  };

  function answerTo(command: string): string {
    const lines = linesOf(command);
    const all =
      lines === undefined ? [`Unknown command '${command}'`] : [...lines, 'Command completed successfully'];
    return ['@', ...all, '$$'].join(NEW_LINE);
  }

  function linesOf(command: string): readonly string[] | undefined {
    if (command === 'pwr') return table(modulesOf(plant, modules), plant.reading.nowMs);
    const module = Number(/^info (\d+)$/.exec(command)?.[1] ?? 0);
    return module >= 1 && module <= modules ? info(module, modules) : undefined;
  }
}

function table(modules: readonly Module[], nowMs: number): readonly string[] {
  const headings = COLUMNS.map(([heading]) => heading);
  const time = new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ');
  const rows = Array.from({ length: PLACES }, (_, place) => {
    const module = modules[place];
    return module === undefined ? absent(place) : present(place, module, time);
  });
  return [headings, ...rows].map((columns) =>
    columns.map((word, index) => word.padEnd(COLUMNS[index]?.[1] ?? 0)).join(''),
  );
}

function present(place: number, module: Module, time: string): readonly string[] {
  const { millivolts, deciamps, cellC, cellsMv, stateOfChargePct } = module;
  const milli = (celsius: number) => String(Math.round(1000 * celsius));
  const state = deciamps > 0 ? 'Charge' : deciamps < 0 ? 'Dischg' : 'Idle';
  return [
    String(place + 1),
    String(millivolts),
    String(100 * deciamps),
    milli(cellC + 2),
    milli(cellC - 0.1),
    milli(cellC + 0.2),
    String(Math.min(...cellsMv)),
    String(Math.max(...cellsMv)),
    state,
    ...['Normal', 'Normal', 'Normal'],
    `${Math.round(stateOfChargePct)}%`,
    time,
    ...['Normal', 'Normal'],
    milli(cellC + 1),
    'Normal',
  ];
}

function absent(place: number): readonly string[] {
  return [String(place + 1), ...new Array<string>(7).fill('-'), 'Absent', ...new Array<string>(7).fill('-')];
}

function info(module: number, modules: number): readonly string[] {
  return [
    `Device address      : ${module}`,
    `Manufacturer        : ${MANUFACTURER}`,
    `Device name         : ${MODEL}`,
    'Board version       : V10R04',
    'Main Soft version   : B67.5.0',
    'Release Date        : 20-12-11',
    `Barcode             : ${serialNumber(module - 1)}`,
    '',
    `Specification       : 48V/${BATTERY.capacityAh / modules}AH`,
    `Cell Number         : ${CELLS}`,
    'Console Port rate   : 115200',
  ];
}

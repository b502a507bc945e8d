import { modelName } from './device-types.ts';
import type { DeyeRegisterRow } from './row.ts';
import {
  alternatingCurrent,
  batteryCurrent,
  batteryPower,
  batteryVoltage,
  clock,
  current,
  currentLimit,
  energy,
  frequency,
  info,
  power,
  produced,
  ratedPower,
  state,
  stateOfCharge,
  temperature,
  voltage,
} from './row-builders.ts';
import { alarms, faults, PARALLEL_MASK, PARALLEL_ROLE, PARALLEL_ROLES, RUNNING_STATES } from './states.ts';

/** The 16 kW models count power at the grid and load ports in tens of watts. */
const COARSE = { scales: { 'single-phase 16 kW': 10 } } as const;
const SPLIT_PHASE = { phases: 2 } as const;

/** Registers of each PV input, the first input first. */
const STRINGS = [
  [186, 109, 110],
  [187, 111, 112],
  [188, 113, 114],
  [189, 115, 116],
] as const;

/** Measured values of single-phase and split-phase inverters. Sources: README.md. */
export const SINGLE_PHASE: readonly DeyeRegisterRow[] = [
  modelName,
  info('Serial number', 'ascii', [3, 4, 5, 6, 7]),
  info('Protocol version', 'version', [2]),
  ratedPower([16, 17]),
  clock([22, 23, 24]),
  state('Device mode', 59, RUNNING_STATES),
  state('Grid connected', 194, { 0: 'Off grid', 1: 'On grid' }),
  state(PARALLEL_ROLE, 417, PARALLEL_ROLES, PARALLEL_MASK),
  alarms([101, 102]),
  faults([103, 104, 105, 106]),

  ...STRINGS.flatMap(([watts, volts, amperes], index) => {
    const needs = { strings: index + 1 };
    return [
      produced(`PV power ${index + 1}`, watts, { needs }),
      voltage(`PV voltage ${index + 1}`, volts, needs),
      current(`PV current ${index + 1}`, amperes, needs),
    ];
  }),

  power('Grid power', 169, COARSE),
  power('Grid power CT', 172, COARSE),
  power('Grid power LD', 167, { ...COARSE, needs: { phases: 1 } }),
  power('Grid power 1', 167, { ...COARSE, needs: SPLIT_PHASE }),
  power('Grid power 2', 168, { ...COARSE, needs: SPLIT_PHASE }),
  voltage('Grid voltage', 150),
  voltage('Grid voltage 1', 150, SPLIT_PHASE),
  voltage('Grid voltage 2', 151, SPLIT_PHASE),
  frequency('Grid frequency', 79),
  alternatingCurrent('Grid current', 160),

  voltage('AC output voltage', 154),
  voltage('AC output voltage 1', 154, SPLIT_PHASE),
  voltage('AC output voltage 2', 155, SPLIT_PHASE),
  power('AC output power', 175),
  alternatingCurrent('AC output current', 164),
  frequency('AC output frequency', 193),

  power('Load power essential', 178, COARSE),
  power('Load power 1', 176, { ...COARSE, needs: SPLIT_PHASE }),
  power('Load power 2', 177, { ...COARSE, needs: SPLIT_PHASE }),
  frequency('Load frequency', 192),
  power('Auxiliary power', 166),
  voltage('Generator voltage', 181),
  frequency('Generator frequency', 196),

  batteryPower('Battery power', 190),
  batteryCurrent('Battery current', 191),
  batteryVoltage('Battery voltage', 183),
  stateOfCharge('Battery state of charge', 184),
  temperature('Battery temperature', 182),
  temperature('Temperature', 91),
  temperature('DC temperature', 90),

  energy('Day PV energy', 108),
  energy('Total PV energy', 96, 97),
  energy('Day battery charge', 70),
  energy('Day battery discharge', 71),
  energy('Total battery charge', 72, 73),
  energy('Total battery discharge', 74, 75),
  energy('Day grid import', 76),
  energy('Day grid export', 77),
  // The grid's frequency stands between its two words.
  energy('Total grid import', 78, 80),
  energy('Total grid export', 81, 82),
  energy('Day load energy', 84),
  energy('Total load energy', 85, 86),

  currentLimit('BMS charge current limit', 314),
  currentLimit('BMS discharge current limit', 315),
  batteryVoltage('BMS charge voltage', 312),
  stateOfCharge('BMS state of charge', 316),
  batteryVoltage('BMS voltage', 317),
];

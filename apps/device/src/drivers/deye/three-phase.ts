import { modelName } from './device-types.ts';
import type { DeyeRegisterRow } from './row.ts';
import {
  batteryCurrent,
  batteryPower,
  batteryVoltage,
  clock,
  current,
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
import {
  alarms,
  faults,
  PARALLEL_MASK,
  PARALLEL_ROLE,
  PARALLEL_ROLES,
  RUNNING_STATES,
  relays,
} from './states.ts';

/** High-voltage models count PV power in tens of watts. */
const COARSE = { scales: { 'three-phase HV': 10 } } as const;

/** Registers of each PV input, the first input first. */
const STRINGS = [
  [672, 676, 677],
  [673, 678, 679],
  [674, 680, 681],
  [675, 682, 683],
] as const;

/** Registers of each phase: grid voltage, grid power and load power with their high words. */
const PHASES = [
  [598, [622, 687], [650, 656]],
  [599, [623, 688], [651, 657]],
  [600, [624, 689], [652, 658]],
] as const;

const RELAYS = 552;
const GRID_RELAY = 1 << 2;

/** Measured values of three-phase inverters without their batteries. Sources: README.md. */
export const THREE_PHASE: readonly DeyeRegisterRow[] = [
  modelName,
  info('Serial number', 'ascii', [3, 4, 5, 6, 7]),
  info('Protocol version', 'version', [2]),
  ratedPower([20, 21]),
  clock([62, 63, 64]),
  state('Device mode', 500, RUNNING_STATES),
  state('Grid connected', RELAYS, { 0: 'Off grid', [GRID_RELAY]: 'On grid' }, GRID_RELAY),
  relays(RELAYS),
  state(PARALLEL_ROLE, 336, PARALLEL_ROLES, PARALLEL_MASK),
  alarms([553, 554]),
  faults([555, 556, 557, 558]),

  ...STRINGS.flatMap(([watts, volts, amperes], index) => {
    const needs = { strings: index + 1 };
    return [
      produced(`PV power ${index + 1}`, watts, { ...COARSE, needs }),
      voltage(`PV voltage ${index + 1}`, volts, needs),
      current(`PV current ${index + 1}`, amperes, needs),
    ];
  }),

  power('Grid power', [625, 690]),
  power('Grid power CT', [619, 708]),
  voltage('Grid voltage', 598),
  ...PHASES.flatMap(([volts, grid, load], index) => [
    voltage(`Grid voltage ${index + 1}`, volts),
    power(`Grid power ${index + 1}`, grid),
    power(`Load power ${index + 1}`, load),
  ]),
  frequency('Grid frequency', 609),

  power('AC output power', [636, 694]),
  voltage('AC output voltage', 627),
  frequency('AC output frequency', 638),
  power('Load power essential', [653, 659]),
  power('Auxiliary power', [667, 671]),

  temperature('Temperature', 541),
  temperature('DC temperature', 540),

  energy('Day PV energy', 529),
  energy('Total PV energy', 534, 535),
  energy('Day battery charge', 514),
  energy('Day battery discharge', 515),
  energy('Total battery charge', 516, 517),
  energy('Total battery discharge', 518, 519),
  energy('Day grid import', 520),
  energy('Day grid export', 521),
  energy('Total grid import', 522, 523),
  energy('Total grid export', 524, 525),
  energy('Day load energy', 526),
  energy('Total load energy', 527, 528),
];

/** The battery of an inverter with one battery input, on the inverter itself. */
export const ONE_BATTERY: readonly DeyeRegisterRow[] = [
  batteryPower('Battery power', 590),
  batteryCurrent('Battery current', 591),
  batteryVoltage('Battery voltage', 587),
  stateOfCharge('Battery state of charge', 588),
  temperature('Battery temperature', 586),
];

/** The batteries of an inverter with two battery inputs, each a unit of its own. */
export const TWO_BATTERIES: readonly [readonly DeyeRegisterRow[], readonly DeyeRegisterRow[]] = [
  [
    stateOfCharge('State of charge', 588),
    batteryVoltage('Voltage', 587),
    batteryCurrent('Current', 591),
    batteryPower('Power', 590),
    temperature('Temperature', 586),
  ],
  [
    stateOfCharge('State of charge', 589),
    batteryVoltage('Voltage', 593),
    batteryCurrent('Current', 594),
    batteryPower('Power', 595),
    temperature('Temperature', 596),
  ],
];

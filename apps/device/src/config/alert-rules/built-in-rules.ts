import type { AlertRuleEntry, DELIVERED_RULES } from '@heliograph/contracts';

/** A rule of every device, and the reason for it. */
export interface BuiltInRule extends AlertRuleEntry {
  readonly id: (typeof DELIVERED_RULES)[number];
  readonly explanation: string;
}

const MINUTE_S = 60;
const HOUR_S = 3600;

/** Faults and warnings come with quantities of many names. */
const ANY_UNIT = ['inverter_*', 'battery_*', 'meter_*', 'charger_*', 'generator_*'];

/** Temperatures and cells are those of lithium iron phosphate, which homes have most; others may be set apart. */
export const BUILT_IN_RULES: readonly BuiltInRule[] = [
  {
    id: 'hardware_silent',
    name: null,
    enabled: true,
    severity: 'critical',
    condition: { kind: 'silent', topics: ANY_UNIT, for_s: 10 * MINUTE_S },
    explanation:
      'An inverter, battery or meter does not answer: it is off, or its cable or network is broken.',
  },
  {
    id: 'fault',
    name: null,
    enabled: true,
    severity: 'critical',
    condition: { kind: 'complaint', topics: ['*/fault', '*/faults', '*/error', '*/device_mode'], for_s: 10 },
    explanation: 'The hardware reports a fault by its name.',
  },
  {
    id: 'hardware_warning',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: {
      kind: 'complaint',
      topics: ['*/warning', '*/warnings', '*/alarm', '*/alarms', '*/alarm_reason'],
      for_s: 2 * MINUTE_S,
    },
    explanation: 'The hardware reports a warning by its name.',
  },
  {
    id: 'low_production',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: { kind: 'low_production', topics: ['total/pv_power'], limit: 3, for_s: 3 * HOUR_S },
    explanation:
      'For three hours the sun gave less than 3 % of what these hours usually bring: a fuse, a breaker, or snow.',
  },
  {
    id: 'battery_low',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: {
      kind: 'below',
      topics: ['battery_*/state_of_charge', 'inverter_*/battery_state_of_charge'],
      limit: 5,
      clear_limit: 8,
      // Many hybrid inverters without a battery report 0 %.
      only_after: 8,
      for_s: 10 * MINUTE_S,
    },
    explanation: 'A battery is nearly empty: staying there harms it.',
  },
  {
    id: 'battery_hot',
    name: null,
    enabled: true,
    severity: 'critical',
    condition: {
      kind: 'above',
      topics: [
        'battery_*/temperature',
        'battery_*/cell_temperature_-_highest',
        'inverter_*/battery_temperature',
      ],
      limit: 50,
      clear_limit: 45,
      for_s: 2 * MINUTE_S,
    },
    explanation: 'A battery is hotter than it should ever be.',
  },
  {
    id: 'battery_cold',
    name: null,
    enabled: false,
    severity: 'warning',
    condition: {
      kind: 'below',
      topics: [
        'battery_*/temperature',
        'battery_*/cell_temperature_-_lowest',
        'inverter_*/battery_temperature',
      ],
      limit: 0,
      clear_limit: 3,
      for_s: 10 * MINUTE_S,
    },
    explanation: 'A battery is below freezing, where charging damages lithium cells.',
  },
  {
    id: 'cell_imbalance',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: {
      kind: 'above',
      topics: ['battery_*/cell_voltage_-_imbalance'],
      limit: 0.3,
      clear_limit: 0.15,
      for_s: 15 * MINUTE_S,
    },
    explanation: 'The cells of a battery differ by much: one of them may be weak.',
  },
  {
    id: 'inverter_hot',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: {
      kind: 'above',
      topics: ['inverter_*/temperature'],
      limit: 85,
      clear_limit: 75,
      for_s: 5 * MINUTE_S,
    },
    explanation: 'An inverter is so hot that it gives less power: look at its fans and the air around it.',
  },
  {
    id: 'grid_lost',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: {
      kind: 'below',
      topics: ['inverter_*/grid_voltage'],
      limit: 60,
      clear_limit: 80,
      only_after: 80,
      for_s: MINUTE_S,
    },
    explanation: 'An inverter that had the grid has it no more. A home that never had it hears nothing.',
  },
  {
    id: 'value_stuck',
    name: null,
    enabled: true,
    severity: 'information',
    condition: {
      kind: 'unchanged',
      topics: ['inverter_*/pv_power', 'inverter_*/load_power', 'inverter_*/battery_power'],
      // An inverter at its limit gives the same power for most of a summer day.
      for_s: 12 * HOUR_S,
    },
    explanation:
      'A power does not move for half a day while other values of the unit do: the hardware repeats an old one.',
  },
  {
    id: 'doubtful_values',
    name: null,
    enabled: true,
    severity: 'information',
    condition: { kind: 'rises', topics: ['*/link_withheld_values'], limit: 100, for_s: HOUR_S },
    explanation: 'The hardware reports many values that cannot be, which are withheld: its cable may be bad.',
  },
  {
    id: 'weak_link',
    name: null,
    enabled: true,
    severity: 'information',
    condition: {
      kind: 'below',
      topics: ['*/link_quality'],
      limit: 70,
      clear_limit: 90,
      for_s: 30 * MINUTE_S,
    },
    explanation: 'A unit answers only some of the requests: look at its cable or network.',
  },
  {
    id: 'write_failed',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: { kind: 'write_failed', topics: [], for_s: 0 },
    explanation: 'The hardware did not take a setting, took another value, or it is unknown what it took.',
  },
  {
    id: 'clock_behind',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: { kind: 'clock_behind', topics: [], for_s: 5 * MINUTE_S },
    explanation:
      'The clock of the device shows a time that has passed: energy is counted for the wrong hours.',
  },
  {
    id: 'storage_low',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: {
      kind: 'below',
      topics: ['system/free_storage'],
      limit: 200,
      clear_limit: 400,
      for_s: 5 * MINUTE_S,
    },
    explanation: 'The disk of the device is nearly full, in MB: soon nothing can be recorded.',
  },
  {
    id: 'history_stopped',
    name: null,
    enabled: true,
    severity: 'warning',
    condition: { kind: 'differs', topics: ['system/history'], values: ['Recording'], for_s: 10 * MINUTE_S },
    explanation: 'The device records no history.',
  },
  {
    id: 'store_damaged',
    name: null,
    enabled: true,
    severity: 'critical',
    condition: { kind: 'store_damaged', topics: [], for_s: 0 },
    explanation:
      'The database of the device was damaged, or its disk could not read all of it, and a part may be lost: restore a backup. Acknowledging the alert clears it.',
  },
];

/** The built-in rule of an id, as it was delivered; undefined for rules of owners. */
export function builtInRule(id: string): BuiltInRule | undefined {
  return BUILT_IN_RULES.find((rule) => rule.id === id);
}

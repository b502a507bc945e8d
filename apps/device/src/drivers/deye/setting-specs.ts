import type { Unit } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';

/** A setting, its address and its values, before profile and rating are known. */
export type DeyeSettingSpec = { readonly name: string; readonly at: SettingAddresses } & SettingInput;

/** Register addresses; a profile without one does not offer the setting. */
export interface SettingAddresses {
  readonly single?: number;
  readonly three?: number;
}

type SettingInput =
  | { readonly kind: 'options'; readonly labels: CodeLabels; readonly mask?: number }
  /** Three-phase registers hold two bits, of which the upper marks the lower one as valid. */
  | { readonly kind: 'two-bit options'; readonly single: CodeLabels; readonly three: CodeLabels }
  | { readonly kind: 'on or off'; readonly mask: number }
  | { readonly kind: 'time' }
  | { readonly kind: 'watts'; readonly most: Readonly<Record<'single' | 'low' | 'high', number>> }
  /** Watts in both directions: for high-voltage models one source has tens of watts, another single ones. */
  | { readonly kind: 'offset watts' }
  /** Hundredths of a volt, of batteries of 48 V: how high-voltage models count is not known. */
  | { readonly kind: 'volts'; readonly min: number; readonly max: number }
  | { readonly kind: 'number'; readonly unit: Unit; readonly max: number };

const ENABLED: CodeLabels = { 0: 'Disabled', 1: 'Enabled' };
const SLOTS = [0, 1, 2, 3, 4, 5] as const;
const PERCENT = { kind: 'number', unit: '%', max: 100 } as const;
const AMPERES = { kind: 'number', unit: 'A', max: 240 } as const;
const CHARGE_VOLTS = { kind: 'volts', min: 38, max: 61 } as const;
const START_VOLTS = { kind: 'volts', min: 0, max: 63 } as const;
const SLOT_VOLTS = { kind: 'volts', min: 0, max: 61 } as const;
const WATTS = { kind: 'watts', most: { single: 12_000, low: 20_000, high: 20_000 } } as const;
const PEAK_WATTS = { kind: 'watts', most: { single: 16_000, low: 16_000, high: 100_000 } } as const;

const slots = (
  name: string,
  single: number,
  three: number,
  input: SettingInput,
): readonly DeyeSettingSpec[] =>
  SLOTS.map((slot) => ({
    name: `${name} ${slot + 1}`,
    at: { single: single + slot, three: three + slot },
    ...input,
  }));

/**
 * Every setting that two independent sources have at the same address with the same scale. A register that one
 * source alone has, or whose values sources interpret differently, is never written. Sources: README.md.
 */
export const SETTING_SPECS: readonly DeyeSettingSpec[] = [
  {
    name: 'Energy pattern',
    at: { single: 243, three: 141 },
    kind: 'options',
    labels: { 0: 'Battery first', 1: 'Load first' },
    mask: 1,
  },
  {
    name: 'Work mode',
    at: { single: 244, three: 142 },
    kind: 'options',
    labels: { 0: 'Selling first', 1: 'Zero export to load', 2: 'Zero export to CT' },
  },
  {
    name: 'Solar export when battery full',
    at: { single: 247, three: 145 },
    kind: 'options',
    labels: ENABLED,
    mask: 1,
  },
  { name: 'Max sell power', at: { single: 245, three: 143 }, ...WATTS },
  { name: 'Max solar power', at: { single: 53, three: 340 }, ...WATTS },
  { name: 'Zero export power', at: { single: 206, three: 104 }, kind: 'offset watts' },
  {
    name: 'Grid peak shaving',
    at: { single: 280, three: 178 },
    kind: 'two-bit options',
    single: { 0: 'Disabled', 256: 'Enabled' },
    three: { 32: 'Disabled', 48: 'Enabled' },
  },
  { name: 'Grid peak shaving power', at: { single: 293, three: 191 }, ...PEAK_WATTS },

  { name: 'Max charge current', at: { single: 210, three: 108 }, ...AMPERES },
  { name: 'Max discharge current', at: { single: 211, three: 109 }, ...AMPERES },
  { name: 'Grid charge', at: { single: 232, three: 130 }, kind: 'options', labels: ENABLED, mask: 1 },
  { name: 'Max grid charge current', at: { single: 230, three: 128 }, ...AMPERES },
  { name: 'Start grid charge capacity', at: { single: 229, three: 127 }, ...PERCENT },
  { name: 'Start grid charge voltage', at: { single: 228, three: 126 }, ...START_VOLTS },
  // Bit 8 of this register wakes a battery up.
  { name: 'Generator charge', at: { single: 231, three: 129 }, kind: 'options', labels: ENABLED, mask: 1 },
  { name: 'Max generator charge current', at: { single: 227, three: 125 }, ...AMPERES },

  { name: 'Output shutdown capacity', at: { single: 217, three: 115 }, ...PERCENT },
  { name: 'Stop battery discharge capacity', at: { single: 219, three: 117 }, ...PERCENT },
  { name: 'Start battery discharge capacity', at: { single: 218, three: 116 }, ...PERCENT },
  { name: 'Output shutdown voltage', at: { single: 220, three: 118 }, ...CHARGE_VOLTS },
  { name: 'Stop battery discharge voltage', at: { single: 222, three: 120 }, ...CHARGE_VOLTS },
  { name: 'Start battery discharge voltage', at: { single: 221, three: 119 }, ...CHARGE_VOLTS },
  { name: 'Battery equalization charge voltage', at: { single: 201, three: 99 }, ...CHARGE_VOLTS },
  { name: 'Battery absorption charge voltage', at: { single: 202, three: 100 }, ...CHARGE_VOLTS },
  { name: 'Battery float charge voltage', at: { single: 203, three: 101 }, ...CHARGE_VOLTS },
  { name: 'Battery capacity', at: { single: 204, three: 102 }, kind: 'number', unit: 'Ah', max: 2000 },
  {
    name: 'Battery control mode',
    at: { three: 111 },
    kind: 'options',
    labels: { 0: 'Voltage', 1: 'Capacity (BMS)', 2: 'No battery' },
  },

  { name: 'Use timer', at: { single: 248, three: 146 }, kind: 'on or off', mask: 1 },
  ...slots('Time point', 250, 148, { kind: 'time' }),
  ...slots('Power point', 256, 154, WATTS),
  ...slots('Voltage point', 262, 160, SLOT_VOLTS),
  ...slots('Capacity point', 268, 166, PERCENT),
  ...slots('Grid charge point', 274, 172, { kind: 'on or off', mask: 1 }),
  ...slots('Gen charge point', 274, 172, { kind: 'on or off', mask: 2 }),

  {
    name: 'Auxiliary port',
    at: { three: 133 },
    kind: 'options',
    labels: { 0: 'Generator input', 1: 'Smart load output', 2: 'Micro inverter input' },
  },
  { name: 'Inverter enabled', at: { three: 80 }, kind: 'options', labels: { 0: 'Off', 1: 'On' } },
  { name: 'Force off grid', at: { three: 179 }, kind: 'options', labels: ENABLED },
];

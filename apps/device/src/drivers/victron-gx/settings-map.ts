import { type Quantity, quantities } from '@heliograph/metrics';
import type { RegisterRow } from '../modbus/row.ts';
import type { CodeLabels } from '../registers.ts';
import { codeRow, numberRow } from './row-builders.ts';
import type { Service } from './services.ts';
import { BATTERY_LIFE, ESS_STATE as ESS_STATES } from './states.ts';

/** A setting and the service of its register. */
export interface GxSetting {
  readonly service: Extract<Service, 'system' | 'settings' | 'vebus'>;
  readonly row: RegisterRow;
  /** A condition or limitation, for the README. */
  readonly remark?: string;
}

/** A GX sends 0 for what it does not have. */
const choice = (name: string, register: number, labels: CodeLabels): RegisterRow => ({
  ...codeRow(quantities.selectSetting(name, [...new Set(Object.values(labels))]), register, labels),
  ...(0 in labels ? {} : { noValue: [0] }),
});

/** A value between two counts is refused, so that what is set is what was wanted. */
const tenths = (quantity: Quantity, register: number, type: 'u16' | 's16'): RegisterRow =>
  numberRow(quantity, register, type, { scale: 0.1, wholeCounts: true });

const limitRow = (quantity: Quantity, register: number, scale: number): RegisterRow =>
  numberRow(quantity, register, 's16', { scale, unlimited: true, wholeCounts: true });

const { numberSetting } = quantities;

const percent = (name: string) => numberSetting(name, '%', { min: 0, max: 100, step: 1 });

/** Power limits: -1 and then every watt are offered, so that both can be, and values between two counts are refused. */
const limit = (name: string) => numberSetting(name, 'W', { min: -1, max: 100_000, step: 1 });

const NO_LIMIT = '-1 is no limit';

/** A state that is read with the settings. */
export const ESS_STATE = codeRow(quantities.state('ESS state'), 2900, ESS_STATES);

export const SETTINGS: readonly GxSetting[] = [
  {
    service: 'settings',
    row: numberRow(numberSetting('Grid setpoint', 'W', { min: -32_000, max: 32_000, step: 10 }), 2700, 's16'),
    remark: 'positive: from the grid',
  },
  {
    service: 'settings',
    row: numberRow(percent('Max charge percentage'), 2701, 'u16'),
  },
  {
    service: 'settings',
    row: numberRow(percent('Max discharge percentage'), 2702, 'u16'),
    remark: 'below 50 % there is no discharging, from 50 % on there is',
  },
  {
    service: 'settings',
    row: limitRow(limit('Max discharge power'), 2704, 10),
    remark: `${NO_LIMIT}; tens of watts; a 0 in the register may mean no limit`,
  },
  {
    service: 'settings',
    row: limitRow(numberSetting('Max charge current', 'A', { min: -1, max: 1000, step: 1 }), 2705, 1),
    remark: `${NO_LIMIT}; needs DVCC`,
  },
  {
    service: 'settings',
    row: limitRow(limit('Max sell power'), 2706, 100),
    remark: `${NO_LIMIT}; hundreds of watts; a 0 in the register may mean no limit`,
  },
  {
    service: 'settings',
    row: choice('Export to grid', 2707, { 0: 'Disabled', 1: 'Enabled' }),
    remark: 'of what DC-coupled PV has left over',
  },
  {
    service: 'settings',
    row: choice('Prevent AC PV feed in', 2708, { 0: 'Feed in', 1: 'Do not feed in' }),
  },
  {
    service: 'settings',
    row: tenths(numberSetting('Max charge voltage', 'V', { min: 0, max: 80, step: 0.1 }, 1), 2710, 'u16'),
  },
  {
    service: 'settings',
    row: choice('Battery life state', 2900, BATTERY_LIFE),
    remark: 'what the GX makes of it is `ESS state`',
  },
  {
    service: 'settings',
    row: tenths(numberSetting('Minimum state of charge', '%', { min: 0, max: 100, step: 5 }, 1), 2901, 'u16'),
    remark: 'unless the grid fails',
  },
  {
    service: 'settings',
    row: choice('ESS mode', 2902, {
      1: 'ESS with phase compensation',
      2: 'ESS without phase compensation',
      3: 'External control',
    }),
  },
  {
    service: 'vebus',
    row: tenths(numberSetting('Input current limit', 'A', { min: 0, max: 100, step: 0.1 }, 1), 22, 's16'),
    remark: 'ignored where the VE.Bus locks it; the lowest depends on the model',
  },
  {
    service: 'vebus',
    row: choice('Power mode', 33, { 1: 'Charger only', 2: 'Inverter only', 3: 'On', 4: 'Off' }),
  },
  {
    service: 'vebus',
    row: choice('Disable charge', 38, { 0: 'Charge allowed', 1: 'Charge disabled' }),
    remark: 'ESS only',
  },
  {
    service: 'system',
    row: choice('Relay 1', 806, { 0: 'Open', 1: 'Closed' }),
    remark: 'works while its function is "Manual"',
  },
];

import { type Quantity, quantities } from '@heliograph/metrics';
import type { CodeLabels } from '../registers.ts';
import type { GxLayout, GxRegisterRow } from './row.ts';
import type { Service } from './services.ts';
import { BATTERY_LIFE, ESS_STATE as ESS_STATES } from './states.ts';

/** A setting and the service of its register. */
export interface GxSetting {
  readonly service: Extract<Service, 'system' | 'settings' | 'vebus'>;
  readonly row: GxRegisterRow;
  /** A condition or limitation, for the README. */
  readonly remark?: string;
}

const choice = (name: string, register: number, labels: CodeLabels): GxRegisterRow => ({
  quantity: quantities.selectSetting(name, [...new Set(Object.values(labels))]),
  register,
  type: 'code',
  labels,
});

const number = (
  quantity: Quantity,
  register: number,
  layout: Extract<GxLayout, { factor?: number }>,
): GxRegisterRow => ({
  quantity,
  register,
  ...layout,
});

const { numberSetting } = quantities;

const percent = (name: string) => numberSetting(name, '%', { min: 0, max: 100, step: 1 });

/** Power limits: -1 and then every watt are offered, so that both can be, and values between two counts are refused. */
const limit = (name: string) => numberSetting(name, 'W', { min: -1, max: 100_000, step: 1 });

const NO_LIMIT = '-1 is no limit';

/** A state that is read with the settings. */
export const ESS_STATE: GxRegisterRow = {
  quantity: quantities.state('ESS state'),
  register: 2900,
  type: 'code',
  labels: ESS_STATES,
};

export const SETTINGS: readonly GxSetting[] = [
  {
    service: 'settings',
    row: number(numberSetting('Grid setpoint', 'W', { min: -32_000, max: 32_000, step: 10 }), 2700, {
      type: 's16',
    }),
    remark: 'positive: from the grid',
  },
  {
    service: 'settings',
    row: number(percent('Max charge percentage'), 2701, { type: 'u16' }),
  },
  {
    service: 'settings',
    row: number(percent('Max discharge percentage'), 2702, { type: 'u16' }),
    remark: 'below 50 % there is no discharging, from 50 % on there is',
  },
  {
    service: 'settings',
    row: number(limit('Max discharge power'), 2704, { type: 's16', factor: 10, unlimited: true }),
    remark: `${NO_LIMIT}; tens of watts; a 0 in the register may mean no limit`,
  },
  {
    service: 'settings',
    row: number(numberSetting('Max charge current', 'A', { min: -1, max: 1000, step: 1 }), 2705, {
      type: 's16',
      unlimited: true,
    }),
    remark: `${NO_LIMIT}; needs DVCC`,
  },
  {
    service: 'settings',
    row: number(limit('Max sell power'), 2706, { type: 's16', factor: 100, unlimited: true }),
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
    row: number(numberSetting('Max charge voltage', 'V', { min: 0, max: 80, step: 0.1 }, 1), 2710, {
      type: 'u16',
      factor: 0.1,
    }),
  },
  {
    service: 'settings',
    row: choice('Battery life state', 2900, BATTERY_LIFE),
    remark: 'what the GX makes of it is `ESS state`',
  },
  {
    service: 'settings',
    row: number(numberSetting('Minimum state of charge', '%', { min: 0, max: 100, step: 5 }, 1), 2901, {
      type: 'u16',
      factor: 0.1,
    }),
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
    row: number(numberSetting('Input current limit', 'A', { min: 0, max: 100, step: 0.1 }, 1), 22, {
      type: 's16',
      factor: 0.1,
    }),
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

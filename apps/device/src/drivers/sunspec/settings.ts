import { type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import type { Values } from './codec.ts';
import type { Symbols } from './models/point.ts';

/** A setting and its point. */
export interface SunSpecSetting {
  readonly quantity: Quantity;
  readonly model: number;
  readonly point: string;
  /** Written with 1 after the value, which has no effect before; while it is 0, `otherwise` holds. */
  readonly enable?: { readonly point: string; readonly otherwise: number };
  /** Labels by the numbers of a select. */
  readonly labels?: Symbols;
}

const RATE = { min: -100, max: 100, step: 1 };
const PERCENT = { min: 0, max: 100, step: 1 };

const number = (name: string, bounds: typeof PERCENT) => quantities.numberSetting(name, '%', bounds);

const select = (name: string, labels: Symbols): Pick<SunSpecSetting, 'quantity' | 'labels'> => ({
  quantity: quantities.selectSetting(name, Object.values(labels)),
  labels,
});

/**
 * Every setting of the family, offered where the device implements its point. Of two that bear one name, the
 * first that is there is meant.
 *
 * Source of the storage controls' meaning: https://github.com/evcc-io/evcc, template fronius-gen24.yaml.
 */
export const SETTINGS: readonly SunSpecSetting[] = [
  {
    quantity: number('Active power limit', PERCENT),
    model: 123,
    point: 'WMaxLimPct',
    enable: { point: 'WMaxLim_Ena', otherwise: 100 },
  },
  {
    quantity: number('Active power limit', PERCENT),
    model: 704,
    point: 'WMaxLimPct',
    enable: { point: 'WMaxLimPctEna', otherwise: 100 },
  },
  { ...select('Grid connection', { 0: 'Disconnect', 1: 'Connect' }), model: 123, point: 'Conn' },
  {
    ...select('Storage control mode', {
      0: 'Automatic',
      1: 'Limit charge',
      2: 'Limit discharge',
      3: 'Limit both',
    }),
    model: 124,
    point: 'StorCtl_Mod',
  },
  { quantity: number('Max charge rate', RATE), model: 124, point: 'InWRte' },
  { quantity: number('Max discharge rate', RATE), model: 124, point: 'OutWRte' },
  { quantity: number('Battery reserve', PERCENT), model: 124, point: 'MinRsvPct' },
  { ...select('Grid charge', { 0: 'Disabled', 1: 'Enabled' }), model: 124, point: 'ChaGriSet' },
];

/** The value in force as users read it; null when the device does not report one. */
export function settingValue(spec: SunSpecSetting, points: Values): MetricValue {
  const value = points[spec.point];
  if (typeof value !== 'number') return null;
  if (spec.labels !== undefined) return spec.labels[value] ?? null;
  return spec.enable !== undefined && points[spec.enable.point] === 0 ? spec.enable.otherwise : value;
}

/** The number to write. @throws RangeError for a text that is none of the setting's options */
export function rawSetting(spec: SunSpecSetting, value: number | string): number {
  if (typeof value === 'number') return value;
  const found = Object.entries(spec.labels ?? {}).find(([, label]) => label === value);
  if (found === undefined) throw new RangeError(`${spec.quantity.name} has no option ${value}`);
  return Number(found[0]);
}

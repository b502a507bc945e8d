import { type Quantity, quantities } from '@heliograph/metrics';
import type { RegisterRow } from '../modbus/row.ts';
import type { BoundModel } from './bound-model.ts';
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

/** The setting in the registers of a model; undefined where it does not have the point. */
export function settingRow(
  { quantity, point, labels, enable }: SunSpecSetting,
  { points }: BoundModel,
): RegisterRow | undefined {
  const field = points.get(point);
  if (field === undefined) return undefined;
  if (labels !== undefined) return { quantity, registers: field.registers, type: 'code', labels };
  const [register] = points.get(enable?.point ?? '')?.registers ?? [];
  if (enable === undefined || register === undefined) return { ...field, quantity };
  return { ...field, quantity, enabledBy: { register, otherwise: enable.otherwise } };
}

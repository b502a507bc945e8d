import { type RegisterSpan, spanAt, spansOf } from '../modbus/blocks.ts';
import type { RegisterRow } from '../modbus/row.ts';
import {
  BATTERY_ROWS,
  BATTERY_TEMPERATURE,
  chargerRows,
  METER_ROWS,
  PHASE_COUNT,
  PHASE_ROWS,
  VEBUS_ROWS,
} from './device-maps.ts';
import { PROBE_REGISTER, type Service } from './services.ts';
import { SETTINGS } from './settings-map.ts';
import { PHASE_POWERS, SYSTEM_ROWS } from './system-map.ts';

const settingsOf = (wanted: Service): readonly RegisterRow[] =>
  SETTINGS.filter(({ service }) => service === wanted).map(({ row }) => row);

/** The rows of each service; a charger's are those of the first one. */
export const SERVICE_ROWS: Readonly<Record<Service, readonly RegisterRow[]>> = {
  system: [...SYSTEM_ROWS, ...settingsOf('system')],
  settings: settingsOf('settings'),
  vebus: [PHASE_COUNT, ...VEBUS_ROWS, ...PHASE_ROWS.flat(), BATTERY_TEMPERATURE, ...settingsOf('vebus')],
  battery: BATTERY_ROWS,
  solarcharger: Object.values(chargerRows(1)),
  grid: METER_ROWS,
};

/** Everything that is read of a service. */
export function gxSpansOf(service: Service): readonly RegisterSpan[] {
  const powers = service === 'system' ? Object.values(PHASE_POWERS) : [];
  const phases = powers.flatMap(({ wide, narrow }) => [...wide, ...narrow]);
  // The voltage at its battery, which a charger reports at night, too.
  const probe = service === 'solarcharger' ? [spanAt(PROBE_REGISTER.solarcharger)] : [];
  return [...probe, ...spansOf([...SERVICE_ROWS[service], ...phases])];
}

import { type RegisterSpan, spanOf } from './blocks.ts';
import {
  BATTERY_ROWS,
  BATTERY_TEMPERATURE,
  chargerRows,
  METER_ROWS,
  PHASE_COUNT,
  PHASE_ROWS,
  VEBUS_ROWS,
} from './device-maps.ts';
import type { GxRegisterRow } from './row.ts';
import { PROBE_REGISTER, type Service } from './services.ts';
import { SETTINGS } from './settings-map.ts';
import { PHASE_POWERS, phaseSpans, SYSTEM_ROWS } from './system-map.ts';

const settingsOf = (wanted: Service): readonly GxRegisterRow[] =>
  SETTINGS.filter(({ service }) => service === wanted).map(({ row }) => row);

/** The rows of each service; a charger's are those of the first one. */
export const SERVICE_ROWS: Readonly<Record<Service, readonly GxRegisterRow[]>> = {
  system: [...SYSTEM_ROWS, ...settingsOf('system')],
  settings: settingsOf('settings'),
  vebus: [PHASE_COUNT, ...VEBUS_ROWS, ...PHASE_ROWS.flat(), BATTERY_TEMPERATURE, ...settingsOf('vebus')],
  battery: BATTERY_ROWS,
  solarcharger: Object.values(chargerRows(1)),
  grid: METER_ROWS,
};

/** The registers of everything that is read of a service. */
export function spansOf(service: Service): readonly RegisterSpan[] {
  const phases = service === 'system' ? Object.values(PHASE_POWERS).flatMap(phaseSpans) : [];
  // The voltage at its battery, which a charger reports at night, too.
  const probe = service === 'solarcharger' ? [{ register: PROBE_REGISTER.solarcharger, width: 1 }] : [];
  const spans = [...probe, ...SERVICE_ROWS[service].map(spanOf), ...phases];
  // The first phase's are also what a system of one phase calls its own.
  return [...new Map(spans.map((span) => [span.register, span])).values()];
}

import type { MetricDefinition } from '@heliograph/client';
import type { Alert, AlertSeverity } from '@heliograph/contracts';
import { type AlertFacts, type AlertTextKey, alertPhrase } from '@heliograph/contracts/alert-text';
import { useTranslation } from 'react-i18next';
import { useDeviceLabel } from '../format/device-label.ts';
import { useFormatValue } from '../metrics/use-format-value.ts';

type Device = MetricDefinition['device'];

/** How a unit is called by the beginning of its topics, such as `battery_1`; other beginnings remain as they are. */
function useUnitLabel(): (prefix: string) => string {
  const label = useDeviceLabel();
  return (prefix) => {
    const [, name = '', number] = /^([a-z]+)(?:_(\d+))?$/.exec(prefix) ?? [];
    const device = DEVICES[name];
    return device === undefined ? prefix : label(device, number === undefined ? null : Number(number) - 1);
  };
}

const DEVICES: Readonly<Record<string, Device>> = {
  total: 'totals',
  inverter: 'inverters',
  battery: 'batteries',
  meter: 'meters',
  charger: 'chargers',
  generator: 'generators',
  grid: 'grid',
  weather: 'weather',
  system: 'system',
};

/** How an alert is written in the reader's language; by its own `text` where its kind is unknown here. */
export function useAlertSentence(): (alert: AlertFacts & Pick<Alert, 'text'>) => string {
  const { t } = useTranslation('alerts');
  const unitLabel = useUnitLabel();
  const formatValue = useFormatValue();
  return (alert) => {
    const phrase = alertPhrase(alert, {
      unit: (prefix) => unitLabel(prefix),
      value: formatValue,
      name: (name) => name,
    });
    return phrase === undefined ? alert.text : t(TEXTS[phrase.key], phrase.values);
  };
}

const TEXTS = {
  above: 'texts.above',
  below: 'texts.below',
  is: 'texts.is',
  unchanged: 'texts.unchanged',
  rises: 'texts.rises',
  complaint: 'texts.complaint',
  silent: 'texts.silent',
  low_production: 'texts.low_production',
  write_altered: 'texts.write_altered',
  write_rejected: 'texts.write_rejected',
  write_unknown: 'texts.write_unknown',
  clock_behind: 'texts.clock_behind',
  store_damaged: 'texts.store_damaged',
  store_unreadable: 'texts.store_unreadable',
  offline: 'texts.offline',
  no_data: 'texts.no_data',
  too_many_alerts: 'texts.too_many_alerts',
} as const satisfies Record<AlertTextKey, string>;

export const SEVERITY_LABELS = {
  information: 'severities.information',
  warning: 'severities.warning',
  critical: 'severities.critical',
} as const satisfies Record<AlertSeverity, string>;

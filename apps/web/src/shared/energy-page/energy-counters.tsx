import type { EnergyAnswer } from '@heliograph/client';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { quantityText } from '../format/amounts.ts';
import { useFormat } from '../format/use-format.ts';

type Counter = NonNullable<EnergyAnswer['counters']>[number];

/** A difference of more than this part, and of more than a few readings, is explained. */
const FAR = 0.1;
const FAR_KWH = 1;

/** Less is shown as nothing. */
const MIN_KWH = 0.01;

/** Energies by the counters of the hardware, with the difference to what the device counted, in a line of words. */
export function EnergyCounters({ counters }: { readonly counters: readonly Counter[] }) {
  const { t, i18n } = useTranslation('energy');
  const { t: site } = useTranslation('site');
  const format = useFormat();
  const shown = counters.filter(({ kwh, difference }) => kwh >= MIN_KWH || (difference ?? 0) >= MIN_KWH);
  if (shown.length === 0) return null;
  const labels = {
    pv: t('solar'),
    load: t('load'),
    battery_in: t('toBattery'),
    battery_out: site('energy.fromBattery'),
    grid_in: t('imported'),
    grid_out: t('exported'),
  };
  const percent = new Intl.NumberFormat(i18n.language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  });
  const list = shown.map(({ energy, kwh, difference }) => {
    const amount = `${labels[energy]} ${quantityText(format.energy(kwh))}`;
    return difference === null || kwh === 0 ? amount : `${amount} (${percent.format(difference / kwh)})`;
  });
  const isFar = shown.some(({ kwh, difference }) => {
    const apart = Math.abs(difference ?? 0);
    return apart > FAR_KWH && apart > FAR * kwh;
  });
  return (
    <Text size="sm" c="dimmed">
      {t('counters.text', { list: new Intl.ListFormat(i18n.language, { type: 'unit' }).format(list) })}
      {isFar && ` ${t('counters.far')}`}
    </Text>
  );
}

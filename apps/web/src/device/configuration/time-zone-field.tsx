import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { regionalTag } from '../../shared/format/region.ts';
import { timeIn, timeZones } from './time-zones.ts';

interface TimeZoneFieldProps {
  /** Null: the machine's own. */
  readonly value: string | null;
  readonly machineZone: string;
  readonly error: string | undefined;
  readonly onChange: (zone: string | null) => void;
}

/** The time zone in which the days of the site begin. */
export function TimeZoneField({ value, machineZone, error, onChange }: TimeZoneFieldProps) {
  const { t, i18n } = useTranslation('configuration');
  const now = timeIn(value ?? machineZone, new Date(), regionalTag(i18n.language));
  return (
    <NativeSelect
      label={t('time.zone')}
      description={now === null ? t('time.zoneWhy') : `${t('time.zoneWhy')} ${t('time.now', { time: now })}`}
      value={value ?? ''}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      data={[
        { value: '', label: t('time.machine', { zone: machineZone }) },
        ...timeZones(value).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
      ]}
    />
  );
}

import type { DriverDescription } from '@heliograph/client';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface DriverFieldProps {
  readonly value: string;
  readonly drivers: readonly DriverDescription[];
  readonly error: string | undefined;
  readonly onChange: (driver: string) => void;
}

/** What the hardware is, by the names that are printed on it. */
export function DriverField({ value, drivers, error, onChange }: DriverFieldProps) {
  const { t } = useTranslation('configuration');
  const isKnown = drivers.some(({ name }) => name === value);
  return (
    <NativeSelect
      label={t('connections.driver')}
      description={t('connections.driverWhy')}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        ...(isKnown ? [] : [{ value, label: value }]),
        ...drivers.map(({ name, title }) => ({ value: name, label: title })),
      ]}
    />
  );
}

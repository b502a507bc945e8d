import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { useSite } from '../site-context.tsx';

/** The age of values that the cloud keeps. */
export function KeptAge() {
  const { t } = useTranslation('siteDevice');
  const { ago, dateTime } = useFormat();
  const { newest_values: newest } = useSite().site;
  if (newest === null) return null;
  return (
    <Text c="dimmed" title={dateTime(newest.at)}>
      {t('history.fromCloud', { ago: ago(newest.at) })}
    </Text>
  );
}

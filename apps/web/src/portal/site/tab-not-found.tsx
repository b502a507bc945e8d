import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/components/card/card.tsx';

/** For a path below a site that leads nowhere; the parts that there are stand above it. */
export function TabNotFound() {
  const { t } = useTranslation('portal');
  return (
    <Card title={t('notFound.title')}>
      <Text>{t('notFound.text')}</Text>
    </Card>
  );
}

import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';

/** A page that requires more permissions than the reader has. */
export function Page() {
  const { t } = useTranslation('device');
  return (
    <Stack align="flex-start" maw="36rem">
      <PageTitle text={t('noPermission.title')} />
      <Text>{t('noPermission.text')}</Text>
      <Anchor component={Link} href="/">
        {t('notFound.toOverview')}
      </Anchor>
    </Stack>
  );
}

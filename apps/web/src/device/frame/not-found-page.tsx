import { Anchor, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';

/** For a path that leads nowhere. */
export function Page() {
  const { t } = useTranslation('device');
  return (
    <Stack align="flex-start" maw="36rem">
      <PageTitle text={t('notFound.title')} />
      <Text>{t('notFound.text')}</Text>
      <Anchor component={Link} href="/">
        {t('notFound.toOverview')}
      </Anchor>
    </Stack>
  );
}

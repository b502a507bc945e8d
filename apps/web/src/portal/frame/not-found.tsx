import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';

/** For a path that leads nowhere, and for what a visitor may not see. */
export function NotFound() {
  const { t } = useTranslation('portal');
  return (
    <Stack align="flex-start" maw="36rem">
      <PageTitle text={t('notFound.title')} />
      <Text>{t('notFound.text')}</Text>
      <Button component={Link} href="/sites">
        {t('notFound.toSites')}
      </Button>
    </Stack>
  );
}

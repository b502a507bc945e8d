import { Button, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';

/** For a path that leads nowhere, and for what a visitor may not see. */
export function NotFound() {
  const { t } = useTranslation('portal');
  return (
    <Stack align="flex-start" maw="36rem">
      <Title order={1}>{t('notFound.title')}</Title>
      <Text>{t('notFound.text')}</Text>
      <Button component={Link} href="/sites">
        {t('notFound.toSites')}
      </Button>
    </Stack>
  );
}

import type { Site } from '@heliograph/client';
import { Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../shared/components/title/page-title.tsx';
import { SITE_LISTS_KEY } from './queries.ts';

/** In place of a site that somebody looked at until their access ended. */
export function AccessLost({ site: { id, name } }: { readonly site: Site }) {
  const { t } = useTranslation('sites');
  const { t: portal } = useTranslation('portal');
  const queries = useQueryClient();
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
  }, [queries]);
  return (
    <Stack align="flex-start" maw="36rem">
      <PageTitle text={t('lost.title', { site: name ?? t('unnamed', { id }) })} focusOnMount />
      <Text>{t('lost.text')}</Text>
      <Button component={Link} href="/sites">
        {portal('notFound.toSites')}
      </Button>
    </Stack>
  );
}

import type { SiteOrganization } from '@heliograph/contracts';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { cloud } from '../../../session/cloud.ts';
import { withFreshSignIn } from '../../../session/fresh-sign-in.ts';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { QueryResult } from '../../../ui/lists/query-result.tsx';
import { SITE_LISTS_KEY, siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';

const siteOrganizationQuery = (id: number) =>
  queryOptions({
    queryKey: ['site', id, 'organization'],
    queryFn: () => cloud.getSiteOrganization({ id }),
  });

/** The organization of the site, and its move to another one. */
export function MovingCard() {
  const { t } = useTranslation('moving');
  const { site } = useSite();
  const query = useQuery(siteOrganizationQuery(site.id));
  return (
    <Card title={t('title')}>
      <QueryResult query={query}>{(found) => <MovingForm found={found} />}</QueryResult>
    </Card>
  );
}

const NONE = '';

function MovingForm({ found: { organization_id: id, choices } }: { readonly found: SiteOrganization }) {
  const { t } = useTranslation('moving');
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { site, role } = useSite();
  const saved = String(id ?? NONE);
  const [chosen, setChosen] = useState(saved);
  // The present one is shown also to people who may not choose it.
  const present = site.organization === null ? [] : [site.organization];
  const organizations = [...present, ...choices.filter((choice) => choice.id !== id)];
  const to = chosen === NONE ? null : Number(chosen);
  const refresh = (): void => {
    // Without a role on the site it is gone for the reader.
    if (role === null) navigate('/sites');
    void queries.invalidateQueries({ queryKey: siteQuery(site.id).queryKey });
    void queries.invalidateQueries({ queryKey: SITE_LISTS_KEY });
  };
  return (
    <Stack gap="md" align="start">
      <Text>{t('text')}</Text>
      <NativeSelect
        label={t('label')}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          { value: NONE, label: t('none') },
          ...organizations.map((each) => ({ value: String(each.id), label: each.name })),
        ]}
      />
      {chosen !== saved && (
        <ConfirmedButton
          label={t('button')}
          title={t('confirm')}
          act={() => withFreshSignIn(() => cloud.moveSite({ id: site.id, organization_id: to }))}
          onDone={refresh}
        >
          {t('text')}
        </ConfirmedButton>
      )}
    </Stack>
  );
}

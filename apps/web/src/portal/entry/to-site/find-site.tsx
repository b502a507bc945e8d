import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../shared/components/states/failure.tsx';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { cloud } from '../../session/cloud.ts';
import { OpenSite } from './open-site.tsx';
import type { SiteLink } from './site-link.ts';
import { SwitchAccountButton } from './switch-account-button.tsx';

interface FindSiteProps {
  readonly link: SiteLink;
  readonly email: string;
}

/** Finds the site by its name; of different regions several may have the same. */
export function FindSite({ link, email }: FindSiteProps) {
  const { t } = useTranslation('entry');
  const { site, region } = link;
  const [chosen, setChosen] = useState<number>();
  const { data, error, refetch } = useQuery({
    queryKey: ['entry', 'to-site', site, region],
    queryFn: () =>
      cloud.sites({ q: [`name:${site}`, ...(region === '' ? [] : [`region:${region}`])].join(' ') }),
  });
  if (error !== null) {
    return (
      <>
        <PageTitle text={t('toSite.failed', { site })} focusOnMount />
        <Failure error={error} onRetry={() => void refetch()} />
        <SwitchAccountButton />
      </>
    );
  }
  if (data === undefined) return <Loading />;
  const [only] = data;
  const id = data.length === 1 ? only?.id : chosen;
  if (id !== undefined) return <OpenSite key={id} id={id} link={link} />;
  if (data.length === 0) {
    return (
      <>
        <PageTitle text={t('toSite.none.title', { site })} focusOnMount />
        <Text role="status" style={{ overflowWrap: 'anywhere' }}>
          {t('toSite.none.text', { email })}
        </Text>
        <SwitchAccountButton />
      </>
    );
  }
  return (
    <>
      <PageTitle text={t('toSite.several.title', { site })} focusOnMount />
      <Text>{t('toSite.several.text')}</Text>
      {data.map((one) => (
        <Button key={one.id} variant="default" onClick={() => setChosen(one.id)}>
          {one.url === null ? t('toSite.several.number', { id: one.id }) : new URL(one.url).host}
        </Button>
      ))}
    </>
  );
}

import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { usePortalSession } from '../../session/session.ts';

/**
 * Whoever is signed in is asked before a link signs in as somebody else: any page and any mail may hold one, and what is
 * done afterwards would be done in an account of its choice.
 */
export function ConfirmAccountSwitch({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { user } = usePortalSession();
  const [isWanted, setWanted] = useState(user === null);
  // Who has signed out meanwhile is not asked once the link has signed them in.
  if (!isWanted && user === null) setWanted(true);
  if (isWanted || user === null) return children;
  return (
    <>
      <PageTitle text={t('signIn.title')} focusOnMount />
      <Text style={{ overflowWrap: 'anywhere' }}>{t('handOver.ask', { email: user.email })}</Text>
      <Group>
        <Button onClick={() => setWanted(true)}>{t('signIn.title')}</Button>
        <Button component={Link} href="/sites" variant="default">
          {shared('cancel')}
        </Button>
      </Group>
    </>
  );
}

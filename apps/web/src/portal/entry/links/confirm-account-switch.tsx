import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { usePortalSession } from '../../session/session.ts';

/**
 * Confirms that a link may sign in to another account: any page and any mail may contain such a link, and later
 * actions would happen in an account of its choice.
 */
export function ConfirmAccountSwitch({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { user } = usePortalSession();
  const [isWanted, setWanted] = useState(user === null);
  // A session that ends meanwhile leaves nothing to confirm.
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

import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { cloud } from '../../session/cloud.ts';
import { deviceQuery, SITE_LISTS_KEY, siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';

/** Gives up the reader's own role. */
export function LeaveButton({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('sites');
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { site } = useSite();
  const go = (): void => {
    // At once: the page of the site, too, is about to notice that the reader has lost it.
    navigate('/sites');
    for (const queryKey of [SITE_LISTS_KEY, siteQuery(site.id).queryKey, deviceQuery(site.id).queryKey])
      queries.removeQueries({ queryKey });
  };
  return (
    <ConfirmedButton
      label={t('people.leave')}
      title={t('people.leaveTitle')}
      act={() => cloud.members(site.id).remove(userId)}
      onDone={go}
    >
      <p>{t('people.leaveText')}</p>
    </ConfirmedButton>
  );
}

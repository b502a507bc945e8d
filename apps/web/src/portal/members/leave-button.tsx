import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { cloud } from '../session/cloud.ts';
import { deviceQuery, siteQuery } from '../site/queries.ts';
import { useSite } from '../site/site-context.tsx';
import { LISTS_KEY } from '../sites/queries.ts';

/** Gives up the reader's own role. */
export function LeaveButton({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('sites');
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { site } = useSite();
  const leave = async (): Promise<void> => {
    await cloud.members(site.id).remove(userId);
    await queries.invalidateQueries({ queryKey: LISTS_KEY });
  };
  const go = (): void => {
    navigate('/sites');
    queries.removeQueries({ queryKey: siteQuery(site.id).queryKey });
    queries.removeQueries({ queryKey: deviceQuery(site.id).queryKey });
  };
  return (
    <ConfirmedButton label={t('people.leave')} title={t('people.leaveTitle')} act={leave} onDone={go}>
      <p>{t('people.leaveText')}</p>
    </ConfirmedButton>
  );
}

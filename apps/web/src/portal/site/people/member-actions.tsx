import type { SiteMember, SiteRole } from '@heliograph/client';
import { useTranslation } from 'react-i18next';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { withFreshSignIn } from '../../second-factor/fresh-sign-in.ts';
import { useSite } from '../site-context.tsx';
import { LeaveButton } from './leave-button.tsx';
import { personName } from './person-name.ts';
import { useChangeMembers } from './use-change-members.ts';

interface MemberActionsProps {
  readonly member: SiteMember;
  /** Whether it is the reader. */
  readonly isSelf: boolean;
}

/** What the reader may do about somebody's role: each tells what follows before it is done. */
export function MemberActions({ member, isSelf }: MemberActionsProps) {
  const { t } = useTranslation('sites');
  const { may } = useSite();
  const change = useChangeMembers();
  const name = personName(member);
  const of = (action: string): string => t('actionOf', { action, name });
  // The owner stays until the site is handed over.
  if (member.role === 'owner') return null;
  const toggled: SiteRole = member.role === 'admin' ? 'member' : 'admin';
  const isPromotion = toggled === 'admin';
  return (
    <>
      {may('manage') && (
        <ConfirmedButton
          label={t(isPromotion ? 'people.makeAdmin' : 'people.makeMember')}
          description={of(t(isPromotion ? 'people.makeAdmin' : 'people.makeMember'))}
          title={t(isPromotion ? 'people.makeAdminOf' : 'people.makeMemberOf', { name })}
          tone="primary"
          act={() => change((members) => members.changeRole(member.id, toggled))}
        >
          <p>{t(isPromotion ? 'roles.adminHint' : 'roles.memberHint')}</p>
          {isSelf && !isPromotion && <p>{t('people.selfMember')}</p>}
        </ConfirmedButton>
      )}
      {may('own') && (
        <ConfirmedButton
          label={t('people.handOver')}
          description={of(t('people.handOver'))}
          title={t('people.handOverTo', { name })}
          act={() => withFreshSignIn(() => change((members) => members.changeRole(member.id, 'owner')))}
        >
          <p>{t('people.handOverText', { name })}</p>
          <p>{t('people.handOverLast', { name })}</p>
        </ConfirmedButton>
      )}
      {isSelf && may('leave') && <LeaveButton userId={member.id} />}
      {may('manage') && !isSelf && (
        <ConfirmedButton
          label={t('people.remove')}
          description={of(t('people.remove'))}
          title={t('people.removeOf', { name })}
          act={() => change((members) => members.remove(member.id))}
        >
          <p>{t('people.removeText', { name })}</p>
        </ConfirmedButton>
      )}
    </>
  );
}

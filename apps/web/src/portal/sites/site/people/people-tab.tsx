import type { SiteMember, SiteRole } from '@heliograph/client';
import { Badge } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { Card } from '../../../../shared/components/card/card.tsx';
import { personName } from '../../../../shared/format/person-name.ts';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { AccessCard } from '../../../access/access-card.tsx';
import { cloud } from '../../../session/cloud.ts';
import { withFreshSignIn } from '../../../session/fresh-sign-in.ts';
import { usePortalSession } from '../../../session/session.ts';
import { ConfirmedButton } from '../../../ui/confirmed-button.tsx';
import { Row, Rows } from '../../../ui/lists/rows.tsx';
import { deviceQuery, SITE_LISTS_KEY, siteDelegationsQuery, siteQuery } from '../queries.ts';
import { useSite } from '../site-context.tsx';
import { InviteForm } from './invite-form.tsx';
import classes from './people-tab.module.css';
import { ROLE_HINTS } from './role-labels.ts';
import { useChangeMembers } from './use-change-members.ts';

/** Access to the site: people with a role, applications and organizations. */
export function Page() {
  const { t } = useTranslation('members');
  const { site, role, may } = useSite();
  const self = usePortalSession().user?.id;
  return (
    <div className={classes.tab}>
      <Card title={t('people.title')}>
        <Rows label={t('people.title')}>
          {site.users.map((member) => (
            <MemberRow key={member.id} member={member} />
          ))}
        </Rows>
        {site.transfer !== null && site.transfer.former_owner_id === self && <RecallNote />}
        {role === null && <p className={classes.note}>{t('people.noRole')}</p>}
      </Card>
      {may('manage') && (
        <Card title={t('invite.title')}>
          <InviteForm />
        </Card>
      )}
      {may('connections') && <SiteAccessCard />}
    </div>
  );
}

/** Access to the site without a role. */
function SiteAccessCard() {
  const queries = useQueryClient();
  const { site, may } = useSite();
  const query = siteDelegationsQuery(site.id);
  return (
    <AccessCard
      query={useQuery(query)}
      end={(id) => cloud.endSiteDelegation({ id: site.id, delegation_id: id })}
      endAll={() => cloud.endSiteDelegations({ id: site.id })}
      keep={may('grant') ? (id) => cloud.keepSiteDelegation({ id: site.id, delegation_id: id }) : undefined}
      onChanged={() => void queries.invalidateQueries(query)}
    />
  );
}

function MemberRow({ member }: { readonly member: SiteMember }) {
  const { t } = useTranslation('members');
  const isSelf = usePortalSession().user?.id === member.id;
  const name = personName(member);
  return (
    <Row
      title={
        <>
          {name}
          <Badge variant="light" tt="none">
            {t(`roles.${member.role}`)}
          </Badge>
          {member.pending && (
            <Badge variant="outline" tt="none">
              {t('people.pending')}
            </Badge>
          )}
        </>
      }
      facts={[isSelf && t('people.you'), name !== member.email && member.email, t(ROLE_HINTS[member.role])]}
      actions={<MemberActions member={member} isSelf={isSelf} />}
    />
  );
}

interface MemberActionsProps {
  readonly member: SiteMember;
  /** Whether it is the reader. */
  readonly isSelf: boolean;
}

/** Changes of a member's role; each states its consequences before it happens. */
function MemberActions({ member, isSelf }: MemberActionsProps) {
  const { t } = useTranslation('members');
  const { site, may } = useSite();
  const change = useChangeMembers();
  const target = { id: site.id, user_id: member.id };
  const name = personName(member);
  const of = (action: string): string => t('actionOf', { action, name });
  // The owner stays until the site is handed over.
  if (member.role === 'owner') return null;
  const toggled: SiteRole = member.role === 'admin' ? 'member' : 'admin';
  const isPromotion = toggled === 'admin';
  return (
    <>
      {may('grant') && (
        <ConfirmedButton
          label={t(isPromotion ? 'people.makeAdmin' : 'people.makeMember')}
          description={of(t(isPromotion ? 'people.makeAdmin' : 'people.makeMember'))}
          title={t(isPromotion ? 'people.makeAdminOf' : 'people.makeMemberOf', { name })}
          tone="primary"
          act={() => change(() => cloud.updateSiteMember({ ...target, role: toggled }))}
        >
          <p>{t(isPromotion ? 'roles.adminHint' : 'roles.memberHint')}</p>
          {isSelf && !isPromotion && <p>{t('people.selfMember')}</p>}
        </ConfirmedButton>
      )}
      {may('own') && may('grant') && (
        <ConfirmedButton
          label={t('people.handOver')}
          description={of(t('people.handOver'))}
          title={t('people.handOverTo', { name })}
          act={() =>
            withFreshSignIn(() => change(() => cloud.updateSiteMember({ ...target, role: 'owner' })))
          }
        >
          <p>{t('people.handOverText', { name })}</p>
          <p>{t('people.handOverLast', { name })}</p>
          {member.pending && <p>{t('people.handOverPending', { name, email: member.email })}</p>}
        </ConfirmedButton>
      )}
      {isSelf && may('leave') && <LeaveButton userId={member.id} />}
      {may(member.role === 'member' ? 'manage' : 'grant') && !isSelf && (
        <ConfirmedButton
          label={t('people.remove')}
          description={of(t('people.remove'))}
          title={t('people.removeOf', { name })}
          act={() => withFreshSignIn(() => change(() => cloud.removeSiteMember(target)))}
        >
          <p>{t('people.removeText', { name })}</p>
        </ConfirmedButton>
      )}
    </>
  );
}

/** Takes back a site that the reader handed over and the new owner has not accepted. */
function RecallNote() {
  const { t } = useTranslation('members');
  const { site } = useSite();
  const change = useChangeMembers();
  const format = useFormat();
  const name = personName(site.owner);
  return (
    <div className={classes.note}>
      <p>{t('people.recallNote', { name })}</p>
      {site.transfer?.new_owner_has_account === false ? (
        <p>
          <strong>{t('people.recallNoAccount', { email: site.owner.email })}</strong>
        </p>
      ) : (
        site.transfer !== null && (
          <p>{t('people.recallUntil', { at: format.dateTime(site.transfer.until) })}</p>
        )
      )}
      <ConfirmedButton
        label={t('people.recall')}
        title={t('people.recallTitle')}
        tone="primary"
        act={() => withFreshSignIn(() => change(() => cloud.recallSite({ id: site.id })))}
      >
        <p>{t('people.recallText', { name })}</p>
      </ConfirmedButton>
    </div>
  );
}

/** Gives up the reader's own role. */
function LeaveButton({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('members');
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
      act={() => cloud.removeSiteMember({ id: site.id, user_id: userId })}
      onDone={go}
    >
      <p>{t('people.leaveText')}</p>
    </ConfirmedButton>
  );
}

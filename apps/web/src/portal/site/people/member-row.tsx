import type { SiteMember } from '@heliograph/client';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Row } from '../../parts/rows.tsx';
import { usePortalSession } from '../../session/session.ts';
import { MemberActions } from './member-actions.tsx';
import { personName } from './person-name.ts';
import { ROLE_HINTS, ROLE_LABELS } from './role-labels.ts';

/** Somebody with a role on the site. */
export function MemberRow({ member }: { readonly member: SiteMember }) {
  const { t } = useTranslation('sites');
  const isSelf = usePortalSession().user?.id === member.id;
  const name = personName(member);
  return (
    <Row
      title={
        <>
          {name}
          <Badge variant="light" tt="none">
            {t(ROLE_LABELS[member.role])}
          </Badge>
        </>
      }
      facts={[isSelf && t('people.you'), name !== member.email && member.email, t(ROLE_HINTS[member.role])]}
      actions={<MemberActions member={member} isSelf={isSelf} />}
    />
  );
}

import type { OwnOrganization } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'wouter';
import { NotFound } from '../../frame/not-found.tsx';
import { usePortalSession } from '../../session/session.ts';
import { QueryResult } from '../../ui/lists/query-result.tsx';
import { TabbedPage } from '../../ui/tabs/tabbed-page.tsx';
import { type OrganizationPermissions, organizationPermissions } from './permissions.ts';
import { organizationQuery } from './queries.ts';

interface OrganizationPageProps {
  /** The part that shows. */
  readonly part: string;
  /** Whether it is for owners and admins alone: it is not there for others. */
  readonly forManagers?: boolean;
  readonly children: (organization: OwnOrganization, permissions: OrganizationPermissions) => ReactNode;
}

/** The tabs of an organization. */
export function OrganizationPage({ part, forManagers = false, children }: OrganizationPageProps) {
  const { id } = useParams<{ id: string }>();
  const { is_operator: isOperator } = usePortalSession();
  const organization = useQuery(organizationQuery(Number(id)));
  return (
    <QueryResult query={organization}>
      {(found) => {
        if (found === null) return <NotFound />;
        const permissions = organizationPermissions(found.role, isOperator);
        if (forManagers && !permissions.isManager) return <NotFound />;
        return (
          <Parts organization={found} part={part} permissions={permissions}>
            {children(found, permissions)}
          </Parts>
        );
      }}
    </QueryResult>
  );
}

interface PartsProps {
  readonly organization: OwnOrganization;
  readonly part: string;
  readonly permissions: OrganizationPermissions;
  readonly children: ReactNode;
}

function Parts({ organization, part, permissions, children }: PartsProps) {
  const { t } = useTranslation('organization');
  const base = `/organizations/${organization.id}`;
  const links = [
    { href: base, label: t('branding.title') },
    { href: `${base}/members`, label: t('members.title') },
    { href: `${base}/sites`, label: t('sites.title') },
    { href: `${base}/tickets`, label: t('work.tickets') },
    { href: `${base}/support`, label: t('work.recovery') },
    { href: `${base}/documents`, label: t('documents.title') },
    ...(permissions.isManager
      ? [
          { href: `${base}/orders`, label: t('work.orders') },
          { href: `${base}/catalogue`, label: t('work.catalogue') },
          { href: `${base}/applications`, label: t('applications.title') },
          { href: `${base}/webhooks`, label: t('work.webhooks') },
          { href: `${base}/messages`, label: t('work.messages') },
          { href: `${base}/activation`, label: t('activation.title') },
          { href: `${base}/audit`, label: t('audit.title') },
        ]
      : []),
  ];
  return (
    <TabbedPage title={organization.name} part={part} links={links}>
      {children}
    </TabbedPage>
  );
}

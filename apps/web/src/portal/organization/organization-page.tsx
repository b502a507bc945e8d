import type { OwnOrganization } from '@heliograph/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'wouter';
import { NotFound } from '../frame/not-found.tsx';
import { PartedPage } from '../parts/parted-page.tsx';
import { Shown } from '../parts/shown.tsx';
import { usePortalSession } from '../session/session.ts';
import { organizationQuery } from './queries.ts';
import { type Standing, standingOf } from './standing.ts';

interface OrganizationPageProps {
  /** The part that shows. */
  readonly part: string;
  /** Whether it is for owners and admins alone: it is not there for others. */
  readonly forManagers?: boolean;
  readonly children: (organization: OwnOrganization, standing: Standing) => ReactNode;
}

/** What the parts of an organization stand in. */
export function OrganizationPage({ part, forManagers = false, children }: OrganizationPageProps) {
  const { id } = useParams<{ id: string }>();
  const { is_operator: isOperator } = usePortalSession();
  const organization = useQuery(organizationQuery(Number(id)));
  return (
    <Shown query={organization}>
      {(found) => {
        if (found === null) return <NotFound />;
        const standing = standingOf(found.role, isOperator);
        if (forManagers && !standing.isManager) return <NotFound />;
        return (
          <Parts organization={found} part={part} standing={standing}>
            {children(found, standing)}
          </Parts>
        );
      }}
    </Shown>
  );
}

interface PartsProps {
  readonly organization: OwnOrganization;
  readonly part: string;
  readonly standing: Standing;
  readonly children: ReactNode;
}

function Parts({ organization, part, standing, children }: PartsProps) {
  const { t } = useTranslation('organization');
  const base = `/organizations/${organization.id}`;
  const links = [
    { href: base, text: t('branding.title') },
    { href: `${base}/members`, text: t('members.title') },
    { href: `${base}/sites`, text: t('sites.title') },
    { href: `${base}/documents`, text: t('documents.title') },
    ...(standing.isManager
      ? [
          { href: `${base}/applications`, text: t('applications.title') },
          { href: `${base}/activation`, text: t('activation.title') },
          { href: `${base}/audit`, text: t('audit.title') },
        ]
      : []),
  ];
  return (
    <PartedPage title={organization.name} part={part} links={links}>
      {children}
    </PartedPage>
  );
}

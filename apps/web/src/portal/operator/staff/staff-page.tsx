import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { OrganizationPage } from '../../organizations/organization/organization-page.tsx';
import { idInPath } from '../../routing/id-in-path.ts';
import { OperatorPage } from '../service/operator-page.tsx';

/** The readers of a page: people of an organization, or operators. */
export interface Staff {
  /** Null for the operators of the service. */
  readonly organizationId: number | null;
  /** The path of its first page. */
  readonly base: string;
}

/** The staff that the address of the page names. */
export function useStaff(): Staff {
  const organizationId = idInPath(useParams<{ id?: string }>().id) ?? null;
  return {
    organizationId,
    base: organizationId === null ? '/operator' : `/organizations/${organizationId}`,
  };
}

interface StaffPageProps {
  /** The part that shows. */
  readonly part: string;
  /** Whether it is for owners and admins alone. */
  readonly forManagers?: boolean;
  readonly children: ReactNode;
}

/** A page among the tabs of an organization or of the operators. */
export function StaffPage({ part, forManagers = false, children }: StaffPageProps) {
  const { organizationId } = useStaff();
  if (organizationId === null) return <OperatorPage part={part}>{children}</OperatorPage>;
  return (
    <OrganizationPage part={part} forManagers={forManagers}>
      {() => children}
    </OrganizationPage>
  );
}

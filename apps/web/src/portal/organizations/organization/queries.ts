import type { DocumentName, OrganizationAuditQuery, OwnOrganization } from '@heliograph/client';
import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';
import { pagedQuery } from '../../ui/lists/paged.ts';

/** An organization as its members see it; null for a person who is neither a member nor an operator. */
export const organizationQuery = (id: number) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: async (): Promise<OwnOrganization | null> => {
      const found = await cloud.listOrganizations({ q: `${id}`, limit: 200 });
      return found.find((organization) => organization.id === id) ?? null;
    },
  });

export const organizationListQuery = (q: string) =>
  pagedQuery(['organizations', q], (page) => cloud.listOrganizations({ q, ...page }));

export const invitationsQuery = queryOptions({
  queryKey: ['account', 'invitations'],
  queryFn: () => cloud.listTeamInvitations(),
});

export const membersQuery = (id: number) =>
  pagedQuery(['organization', id, 'members'], (page) => cloud.listOrganizationMembers({ id, ...page }));

export const sitesQuery = (id: number, q: string) =>
  pagedQuery(['organization', id, 'sites', q], (page) =>
    cloud.listSites({ organization_id: id, q, ...page }),
  );

export const documentQuery = (id: number, name: DocumentName) =>
  queryOptions({
    queryKey: ['organization', id, 'documents', name],
    queryFn: () => cloud.getOrganizationDocument({ id, name }),
  });

export const applicationsQuery = (id: number) =>
  queryOptions({
    queryKey: ['organization', id, 'applications'],
    queryFn: () => cloud.listApplications({ id }),
  });

export const organizationAuditQuery = (id: number, filters: OrganizationAuditQuery) =>
  pagedQuery(['organization', id, 'audit', filters], (page) =>
    cloud.listOrganizationAudit({ id, ...filters, ...page }),
  );

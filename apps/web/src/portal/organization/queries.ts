import type { DocumentName, OwnOrganization } from '@heliograph/client';
import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../parts/paged.ts';
import { cloud } from '../session/cloud.ts';

/** An organization as its members see it; null for a person who is neither a member nor an operator. */
export const organizationQuery = (id: number) =>
  queryOptions({
    queryKey: ['organization', id],
    queryFn: async (): Promise<OwnOrganization | null> => {
      const found = await cloud.organizations.list({ q: `${id}`, limit: 200 });
      return found.find((organization) => organization.id === id) ?? null;
    },
  });

export const organizationListQuery = (q: string) =>
  pagedQuery(['organizations', q], (page) => cloud.organizations.list({ q, ...page }));

export const invitationsQuery = queryOptions({
  queryKey: ['account', 'invitations'],
  queryFn: () => cloud.teamInvitations.list(),
});

export const membersQuery = (id: number) =>
  queryOptions({
    queryKey: ['organization', id, 'members'],
    queryFn: () => cloud.organizations.members(id).list(),
  });

export const sitesQuery = (id: number, q: string) =>
  pagedQuery(['organization', id, 'sites', q], (page) => cloud.sites({ organizationId: id, q, ...page }));

export const documentQuery = (id: number, name: DocumentName) =>
  queryOptions({
    queryKey: ['organization', id, 'documents', name],
    queryFn: () => cloud.organizations.documents(id).get(name),
  });

export const applicationsQuery = (id: number) =>
  queryOptions({
    queryKey: ['organization', id, 'applications'],
    queryFn: () => cloud.organizations.applications(id).list(),
  });

export const organizationAuditQuery = (id: number) =>
  pagedQuery(['organization', id, 'audit'], (page) => cloud.audit.ofOrganization(id, page));

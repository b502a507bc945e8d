import { queryOptions } from '@tanstack/react-query';
import { cloud } from '../../session/cloud.ts';

/** Roles on sites that the visitor has not accepted. */
export const siteInvitationsQuery = queryOptions({
  queryKey: ['account', 'site-invitations'],
  queryFn: () => cloud.listSiteInvitations(),
});

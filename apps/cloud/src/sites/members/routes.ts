import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { slicePage } from '../../db/page.ts';
import { callerOf } from '../../http/guards.ts';
import type { MemberService } from './service.ts';
import type { SiteInvitations } from './site-invitations.ts';

export function memberRoutes(api: Api, members: MemberService, invitations: SiteInvitations): void {
  api.serve(cloudOperations.listSiteMembers, async (request) =>
    slicePage(await members.list(callerOf(request), request.params.id), request.query),
  );

  api.serve(cloudOperations.inviteSiteMember, (request) =>
    members.invite(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.updateSiteMember, (request) =>
    members.changeRole(callerOf(request), request.params.id, request.params.user_id, request.body),
  );

  api.serve(cloudOperations.removeSiteMember, async (request) => {
    await members.remove(callerOf(request), request.params.id, request.params.user_id);
  });

  api.serve(cloudOperations.recallSite, async (request) => {
    await invitations.recall(callerOf(request), request.params.id);
  });

  api.serve(cloudOperations.listSiteInvitations, (request) => invitations.received(callerOf(request)));

  api.serve(cloudOperations.acceptSiteInvitation, async (request) => {
    await invitations.accept(callerOf(request), request.params.site_id, request.body);
  });

  api.serve(cloudOperations.declineSiteInvitation, async (request) => {
    await invitations.decline(callerOf(request), request.params.site_id);
  });
}

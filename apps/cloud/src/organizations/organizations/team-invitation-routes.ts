import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { TeamInvitations } from './team-invitations.ts';
export function teamInvitationRoutes(api: Api, invitations: TeamInvitations): void {
  api.serve(cloudOperations.listTeamInvitations, (request) => invitations.received(callerOf(request)));

  api.serve(cloudOperations.acceptTeamInvitation, async (request) => {
    await invitations.accept(callerOf(request), request.params.organization_id);
  });

  api.serve(cloudOperations.declineTeamInvitation, async (request) => {
    await invitations.decline(callerOf(request), request.params.organization_id);
  });
}

import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { IdentityService } from './service.ts';

export function identityRoutes(api: Api, identity: IdentityService): void {
  api.serve(cloudOperations.createIdToken, (request) => identity.idToken(callerOf(request), request.body));
}

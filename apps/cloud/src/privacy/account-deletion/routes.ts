import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { callerOf } from '../../http/guards.ts';
import type { AccountDeletions } from './service.ts';

export function accountDeletionRoutes(api: Api, deletions: AccountDeletions): void {
  api.serve(cloudOperations.getAccountDeletion, (request) => deletions.describe(callerOf(request)));

  api.serve(cloudOperations.requestAccountDeletion, (request) => deletions.request(callerOf(request)));

  api.serve(cloudOperations.cancelAccountDeletion, async (request) => {
    await deletions.cancel(callerOf(request));
  });
}

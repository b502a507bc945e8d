import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import { slicePage } from '../../db/page.ts';
import { callerOf } from '../../http/guards.ts';
import type { Employees } from './employees.ts';
export function employeeRoutes(api: Api, employees: Employees): void {
  api.serve(cloudOperations.listOrganizationMembers, async (request) =>
    slicePage(await employees.list(callerOf(request), request.params.id), request.query),
  );

  api.serve(cloudOperations.addOrganizationMember, (request) =>
    employees.add(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.updateOrganizationMember, (request) =>
    employees.changeRole(callerOf(request), employmentOf(request.params), request.body),
  );

  api.serve(cloudOperations.removeOrganizationMember, async (request) => {
    await employees.remove(callerOf(request), employmentOf(request.params));
  });
}

function employmentOf({ id, user_id: userId }: { readonly id: number; readonly user_id: number }) {
  return { organizationId: id, userId };
}

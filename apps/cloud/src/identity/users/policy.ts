import type { Caller } from '../../access/caller.ts';

/** The accounts that a caller may list. */
export type Directory =
  | { readonly everyone: true }
  | {
      readonly everyone: false;
      /** The caller's own account, when it is included in any case. */
      readonly userId: number | null;
      /** Organizations whose employees and customers are included. */
      readonly organizationIds: readonly number[];
    };

/**
 * Operators see everyone; with an organization's token, its people only. Employees see the people of the organizations
 * that employ them, and all other accounts only themselves.
 *
 * @param employers the organizations that the caller is an employee of
 */
export function directoryOf(
  { staff, organizationId, userId }: Caller,
  employers: readonly number[],
): Directory {
  if (staff) {
    if (organizationId === null) return { everyone: true };
    return { everyone: false, userId: null, organizationIds: [organizationId] };
  }
  const organizationIds =
    organizationId === null ? employers : employers.filter((id) => id === organizationId);
  return { everyone: false, userId, organizationIds };
}

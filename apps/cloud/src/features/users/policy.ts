import type { Caller } from '../../access/caller.ts';

/** Whose accounts a caller's directory holds. */
export type Directory =
  | { readonly everyone: true }
  | {
      readonly everyone: false;
      /** The caller's own account, if it is in there whatever the organizations. */
      readonly userId: number | null;
      /** The organizations whose employees and customers are in there. */
      readonly organizationIds: readonly number[];
    };

/**
 * Operators see everyone; through an organization's token its people only. Employees see the people of the
 * organizations that employ them, customers and everybody else only themselves.
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

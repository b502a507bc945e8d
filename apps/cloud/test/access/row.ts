import type { Operation, Scope } from '@heliograph/contracts';
import { cloudOperations } from '@heliograph/contracts/operations';
import type { AccessFixture, Target } from './fixture.ts';
import { statusByPermission } from './site-permissions.ts';

/** By their names in tables. */
const SCOPES: Readonly<Record<string, readonly Scope[]>> = {
  any: [],
  read: ['sites:read_all'],
  single: ['sites:read_all', 'sites:read_single'],
  write: ['sites:write_all'],
  recover: ['sites:recover_all'],
  support: ['sites:recover_all', 'sites:read_all'],
  users: ['users:read_all'],
  products: ['products:read_all'],
  orders: ['orders:read_all'],
  payments: ['orders:write_all'],
  tickets: ['tickets:read_all'],
  reply: ['tickets:write_all'],
};

/** A request about the records of one case. */
export interface AccessRequest {
  /** Replace `{name}` in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent verbatim in place of `body`. */
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}

interface Case {
  /** The operation, where the name is that of one of its cases. */
  readonly of?: keyof typeof cloudOperations;
  /** A valid request; may create the records it is about. */
  readonly request: (target: Target, fixture: AccessFixture) => AccessRequest | Promise<AccessRequest>;
}

/** An operation, or one of its cases, and who may call it. */
export interface AccessRow {
  readonly name: string;
  readonly operation: Operation;
  /** Any one of them is enough; an empty list: any valid token. */
  readonly scopes: readonly Scope[];
  /** The status for each caller. */
  readonly expected: Readonly<Record<string, number>>;
  readonly request: Case['request'];
}

/**
 * Access rights written by hand from the published API and its decision records, not computed by the code.
 *
 * Every caller has a relation to one site, which belongs to the organization "home":
 *
 *     stranger   an account with nothing
 *     rival      admin of another organization, with a token of that organization
 *     customer   a customer of home without a site
 *     member     reads the site                          admin    changes it
 *     owner      owns it, API token                      session  the owner, signed in
 *     inHome     the owner, token of home                abroad   the owner, token of another organization
 *     clerk      employee of home, role member           manager  role admin          boss  role owner
 *     roving     the manager with a token of no organization
 *     staff      operator                                posted   operator, token of another organization
 *     oauth      the owner's application, this site      other    the owner's application, another site
 *     mcp        the owner's agent, whose token is for the MCP server alone
 *
 * An operation that names a permission on the site in its path has no statuses here, but those of `site-permissions.ts`, unless
 * it refuses more callers, or the records of its case are others.
 *
 * @param table a line of names of columns, and one for each case
 * @param cases by the names of the lines
 */
export function accessRows(table: string, cases: Readonly<Record<string, Case>>): AccessRow[] {
  const [[, , ...callers] = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const unlisted = Object.keys(cases).filter((name) => lines.every(([listed]) => listed !== name));
  if (unlisted.length > 0) throw new Error(`The table does not say who may ${unlisted.join(', ')}`);
  return lines.map(([name = '', scope = '', ...statuses]) => {
    const found = cases[name];
    if (found === undefined) throw new Error(`There is no request for ${name}`);
    const { of = name as keyof typeof cloudOperations, request } = found;
    const operation: Operation = cloudOperations[of];
    const expected = Object.fromEntries(
      callers.map((caller, column) => {
        const permitted = statusByPermission(operation, caller);
        const status = statuses.length === 0 ? permitted : Number(statuses[column]);
        if (status === undefined) throw new Error(`The table does not say whether ${caller} may ${name}`);
        const isRefused = permitted !== undefined && permitted >= 400;
        if (found.of === undefined && isRefused && status !== permitted)
          throw new Error(`${caller} may not ${name} by the permission, which is ${permitted}`);
        return [caller, status];
      }),
    );
    return { name, operation, scopes: SCOPES[scope] ?? [], expected, request };
  });
}

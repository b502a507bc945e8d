import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, site } from '../requests.ts';
import { accessRows } from '../row.ts';

/** A share of the target's site, which waits for a decision of the household. @returns its id */
async function suspendedShare({ siteId }: Target, { cloud }: AccessFixture): Promise<number> {
  const at = new Date(cloud.clock.now());
  const { id } = await cloud.db
    .insertInto('delegations')
    .values({
      ...{ kind: 'share', organization_id: await cloud.make.organization(), site_id: siteId, created_at: at },
      ...{ suspended_at: at, suspended_for: 'role', mailed_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const DELEGATION_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listDelegations             any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
endDelegation               any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
endDelegations              any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
keepDelegation              any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
listSiteDelegations         read
endSiteDelegation           write
endSiteDelegations          write
keepSiteDelegation          any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
`,
  {
    listDelegations: { request: emptyRequest },
    endDelegation: {
      request: async (target, fixture) => ({ params: { id: await suspendedShare(target, fixture) } }),
    },
    endDelegations: { request: () => ({ query: { token_id: '1' } }) },
    keepDelegation: {
      request: async (target, fixture) => ({ params: { id: await suspendedShare(target, fixture) } }),
    },
    listSiteDelegations: { request: site },
    endSiteDelegation: {
      request: async (target, fixture) => ({
        params: { id: target.siteId, delegation_id: await suspendedShare(target, fixture) },
      }),
    },
    endSiteDelegations: { request: site },
    keepSiteDelegation: {
      request: async (target, fixture) => ({
        params: { id: target.siteId, delegation_id: await suspendedShare(target, fixture) },
      }),
    },
  },
);

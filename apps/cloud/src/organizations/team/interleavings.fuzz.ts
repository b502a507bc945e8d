import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

/** Enough for a slow machine. */
const PATIENCE_MS = 600_000;

let cloud: TestCloud;
let people: (TestUser & { readonly session: string })[];
beforeAll(async () => {
  cloud = await startTestCloud();
  people = await Promise.all(
    [0, 1, 2, 3].map(async () => {
      const user = await cloud.make.user();
      return { ...user, session: await cloud.make.token(user.id, { kind: 'session' }) };
    }),
  );
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const anyone = fc.nat({ max: 3 });
const role = fc.constantFrom('owner', 'admin', 'member');
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), caller: anyone, target: anyone, role }),
  fc.record({ kind: fc.constant('change' as const), caller: anyone, target: anyone, role }),
  fc.record({ kind: fc.constant('remove' as const), caller: anyone, target: anyone }),
  fc.record({ kind: fc.constant('accept' as const), caller: anyone }),
  fc.record({ kind: fc.constant('decline' as const), caller: anyone }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function take(organization: number, action: Step) {
  const route = `/api/v1/organizations/${organization}/users`;
  const caller = people[action.caller];
  const invitation = `/api/v1/user/invitations/${organization}`;
  if (action.kind === 'accept') return cloud.call(`POST ${invitation}/accept`, { token: caller?.session });
  if (action.kind === 'decline') return cloud.call(`DELETE ${invitation}`, { token: caller?.session });
  const target = people[action.target];
  const token = caller?.token;
  if (action.kind === 'remove') return cloud.call(`DELETE ${route}/${target?.id}`, { token });
  const { kind, role } = action;
  if (kind === 'add') return cloud.call(`POST ${route}`, { token, body: { email: target?.email, role } });
  return cloud.call(`PATCH ${route}/${target?.id}`, { token, body: { role } });
}

type Roles = Record<string, string>;

async function rolesNow(
  organization: number,
  table: 'organization_members' | 'employment_invitations' = 'organization_members',
): Promise<Roles> {
  const people = await cloud.db
    .selectFrom(table)
    .select(['user_id', 'role'])
    .where('organization_id', '=', organization)
    .execute();
  return Object.fromEntries(people.map(({ user_id, role }) => [user_id, role]));
}

/** Roles according to the audit records. Fails if a record does not start from the state after the one before. */
async function rolesRecorded(
  organization: number,
  start: Readonly<Roles>,
): Promise<{ employees: Roles; invited: Roles }> {
  const employees = { ...start };
  const invited: Roles = {};
  const records = await cloud.db
    .selectFrom('audit_events')
    .select(['user_id', 'action', 'details'])
    .where('organization_id', '=', organization)
    .orderBy('id')
    .execute();
  for (const { user_id, action, details } of records) {
    const id = String(user_id);
    const roles = action.includes('.invit') ? invited : employees;
    if (action === 'organization_member.added') {
      expect(invited[id]).toBe(details.to);
      delete invited[id];
    }
    expect(roles[id] ?? null).toBe(details.from);
    if (details.to === null) delete roles[id];
    else roles[id] = String(details.to);
  }
  return { employees, invited };
}

it(
  'an organization keeps an owner and records every change under concurrent calls',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 2, maxLength: 6 }), { minLength: 1, maxLength: 2 }),
        async (rounds) => {
          const organization = await cloud.make.organization();
          const start = { [Number(people[0]?.id)]: 'owner', [Number(people[1]?.id)]: 'owner' };
          await cloud.db
            .insertInto('organization_members')
            .values(
              [people[0], people[1]].map((person) => ({
                organization_id: organization,
                user_id: person?.id ?? 0,
                role: 'owner' as const,
              })),
            )
            .execute();
          for (const steps of rounds) {
            const answers = await Promise.all(steps.map((action) => take(organization, action)));
            for (const [i, { status }] of answers.entries()) {
              const done = steps[i]?.kind === 'add' || steps[i]?.kind === 'change' ? 200 : 204;
              expect([done, 403, 404, 429]).toContain(status);
            }
            const now = await rolesNow(organization);
            expect(Object.values(now)).toContain('owner');
            const invited = await rolesNow(organization, 'employment_invitations');
            expect(await rolesRecorded(organization, start)).toEqual({ employees: now, invited });
          }
        },
      ),
      { numRuns: 20 },
    );
  },
  PATIENCE_MS,
);

it('one of two owners who leave concurrently is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    const organization = await cloud.make.organization();
    const owners = [
      await cloud.make.employee(organization, 'owner'),
      await cloud.make.employee(organization, 'owner'),
    ];
    const answers = await Promise.all(
      owners.map(({ id, token }) =>
        cloud.call(`DELETE /api/v1/organizations/${organization}/users/${id}`, { token }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
    expect(Object.values(await rolesNow(organization))).toEqual(['owner']);
  }
});

import { PASSWORD } from '../../factory.ts';
import type { AccessFixture } from '../fixture.ts';
import { emptyRequest, uniqueName } from '../requests.ts';
import { accessRows } from '../row.ts';

async function setSecondFactor({ cloud: { db, clock }, owner }: AccessFixture, has: boolean): Promise<void> {
  const second_factor_at = has ? new Date(clock.now()) : null;
  await db.updateTable('users').set({ second_factor_at }).where('id', '=', owner.id).execute();
}

export const ACCOUNT_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
getEmail                    any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
requestEmailChange          any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
cancelEmailChange           any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
handOverSession             any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
signOut                     any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
describeSessionConfirmation any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
confirmSession              any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
getAccountDeletion          any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
requestAccountDeletion      any         403      403      403      403      403      403      422      403      403      403      403      403      403      403      403      403      403      401
cancelAccountDeletion       any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
requestExport               any         403      403      403      403      403      403      201      403      403      403      403      403      403      403      403      403      403      401
listExports                 any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
downloadExport              any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
`,
  {
    getEmail: { request: emptyRequest },
    requestEmailChange: {
      request: () => ({ body: { email: `${uniqueName()}@example.org`, password: PASSWORD } }),
    },
    cancelEmailChange: {
      request: async (_target, { cloud: { db, clock }, owner }) => {
        const row = { email: `${uniqueName()}@example.org`, expires_at: new Date(clock.now() + 1000) };
        await db
          .insertInto('email_changes')
          .values({ ...row, user_id: owner.id })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
          .execute();
        return {};
      },
    },
    handOverSession: { request: emptyRequest },
    signOut: { request: emptyRequest },
    describeSessionConfirmation: { request: emptyRequest },
    confirmSession: {
      request: async (_target, fixture) => {
        await setSecondFactor(fixture, false);
        return { body: { password: PASSWORD } };
      },
    },
    getAccountDeletion: { request: emptyRequest },
    // The owner of a site gives it away first.
    requestAccountDeletion: { request: emptyRequest },
    cancelAccountDeletion: {
      request: async (_target, { cloud: { db, clock }, owner }) => {
        const at = new Date(clock.now());
        await db
          .insertInto('account_deletions')
          .values({ user_id: owner.id, requested_at: at, due_at: at })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return {};
      },
    },
    requestExport: { request: emptyRequest },
    listExports: { request: emptyRequest },
    downloadExport: {
      request: async (_target, { cloud: { db, clock }, owner }) => {
        const at = new Date(clock.now());
        const { id } = await db
          .insertInto('data_exports')
          .values({
            user_id: owner.id,
            requested_at: at,
            ready_at: at,
            size: 0,
            expires_at: new Date(at.getTime() + 60_000),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { params: { id } };
      },
    },
  },
);

import type { TokenKind } from '../../../src/common/secrets/opaque-token.ts';
import type { TestCloud } from '../../test-cloud.ts';
import { emptyRequest, uniqueName } from '../requests.ts';
import { accessRows } from '../row.ts';

async function newestTokenOf(userId: number, kind: TokenKind, { db }: TestCloud): Promise<number> {
  const token = await db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return token.id;
}

export const TOKEN_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listTokens                  any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
createToken                 any         403      403      403      403      403      403      201      403      403      403      403      403      403      403      403      403      403      401
revokeToken                 any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
listSessions                any         403      403      403      403      403      403      200      403      403      403      403      403      403      403      403      403      403      401
endSession                  any         403      403      403      403      403      403      204      403      403      403      403      403      403      403      403      403      403      401
`,
  {
    listTokens: { request: emptyRequest },
    createToken: {
      request: () => ({ body: { name: uniqueName(), scopes: ['sites:read_all'] } }),
    },
    revokeToken: {
      request: async (_target, { cloud, owner }) => {
        await cloud.make.token(owner.id);
        return { params: { id: await newestTokenOf(owner.id, 'api', cloud) } };
      },
    },
    listSessions: { request: emptyRequest },
    endSession: {
      request: async (_target, { cloud, owner }) => {
        await cloud.make.token(owner.id, { kind: 'session' });
        return { params: { id: await newestTokenOf(owner.id, 'session', cloud) } };
      },
    },
  },
);

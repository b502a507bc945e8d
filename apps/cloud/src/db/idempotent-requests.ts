import { createHash } from 'node:crypto';
import { KEY_OF_ANOTHER_REQUEST } from '@heliograph/contracts/idempotency';
import { Unprocessable } from '@heliograph/kit';
import type { Database } from './open.ts';

/** How long the answer to a request is kept, in milliseconds. */
export const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000;

export interface IdempotentRequest {
  readonly userId: number;
  /** Method and path. */
  readonly path: string;
  /** As the caller chose it; undefined without one. */
  readonly key: string | undefined;
  readonly body: unknown;
}

/**
 * Does what a request asks for once, as part of a transaction. A repeated one waits for the first to end and gets its
 * answer; what was refused is not kept.
 *
 * @throws Unprocessable for another body with the same key
 */
export async function doOnce<Answer extends object>(
  tx: Database,
  { userId, path, key, body }: IdempotentRequest,
  at: Date,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return work();
  const digest = createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest();
  const request = { user_id: userId, path, key };
  await tx
    .deleteFrom('idempotent_requests')
    .where((eb) => eb.and(request))
    .where('created_at', '<', new Date(at.getTime() - IDEMPOTENCY_MS))
    .execute();
  // Waits for the transaction of the first request, if it is under way.
  const added = await tx
    .insertInto('idempotent_requests')
    .values({ ...request, digest, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (added === undefined) {
    const first = await tx
      .selectFrom('idempotent_requests')
      .select(['digest', 'answer'])
      .where((eb) => eb.and(request))
      .executeTakeFirstOrThrow();
    if (!first.digest.equals(digest)) throw new Unprocessable(KEY_OF_ANOTHER_REQUEST);
    return first.answer as Answer;
  }
  const answer = await work();
  await tx
    .updateTable('idempotent_requests')
    .set({ answer: JSON.stringify(answer) })
    .where((eb) => eb.and(request))
    .execute();
  return answer;
}

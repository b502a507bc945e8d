import type { Visitor } from './client-kind.ts';
import type { Dice } from './dice.ts';
import type { Ending } from './exchange.ts';
import type { Judge } from './journal.ts';
import type { WritePlan } from './write-plan.ts';
import type { Attempt } from './write-proof.ts';

/** Sets its values in turn; a write that may have been carried out is never repeated. */
export async function write(
  visitor: Visitor,
  { topic, values }: WritePlan,
  dice: Dice,
  attempts: Attempt[],
  signal: AbortSignal,
): Promise<void> {
  const order = dice.shuffled(values);
  for (let turn = 0; !signal.aborted; turn++) {
    const value = order[turn % order.length] ?? 0;
    const startedAt = Date.now();
    const acknowledged = await set(visitor, topic, value, signal);
    attempts.push({ topic, value, startedAt, acknowledged });
    await visitor.pause(signal);
  }
}

/** @returns whether the device acknowledged it */
async function set(visitor: Visitor, topic: string, value: number, signal: AbortSignal): Promise<boolean> {
  const question = {
    method: 'POST',
    path: '/api/v1/metrics',
    body: { topic, value: String(value) },
  } as const;
  for (;;) {
    const { isGood, ending } = await visitor.ask('write', question, resultOf(topic));
    if (isGood) return true;
    await visitor.lookAgain(signal);
    if (!wasNeverSent(ending) || signal.aborted) return false;
  }
}

/** Nobody listened, or a proxy said that it cannot pass the request on now. */
function wasNeverSent(ending: Ending): boolean {
  return ending.kind === 'refused' || (ending.kind === 'answered' && ending.status === 503 && ending.later);
}

function resultOf(topic: string): Judge {
  return (status, body) => {
    if (status === 200) return body === JSON.stringify({ topic, result: 'ok' }) ? 'good' : 'strange';
    if (status === 422) return body.includes(topic) ? 'failed' : 'strange';
    return status >= 400 ? 'failed' : 'strange';
  };
}

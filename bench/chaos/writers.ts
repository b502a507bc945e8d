import type { Dice } from './dice.ts';
import type { Ending } from './exchange.ts';
import type { Judge } from './journal.ts';
import type { SiteApiClient } from './site-api-client.ts';
import type { WritePlan } from './write-plan.ts';
import type { Attempt } from './write-proof.ts';

/** Sets its values in turn; a write that may have been carried out is never repeated. */
export async function write(
  client: SiteApiClient,
  { topic, values }: WritePlan,
  dice: Dice,
  attempts: Attempt[],
  signal: AbortSignal,
): Promise<void> {
  const order = dice.shuffled(values);
  for (let turn = 0; !signal.aborted; turn++) {
    const value = order[turn % order.length] ?? 0;
    const startedAt = Date.now();
    const acknowledged = await set(client, topic, value, signal);
    attempts.push({ topic, value, startedAt, acknowledged });
    await client.pause(signal);
  }
}

/** @returns whether the device acknowledged it */
async function set(
  client: SiteApiClient,
  topic: string,
  value: number,
  signal: AbortSignal,
): Promise<boolean> {
  const request = {
    method: 'POST',
    path: '/api/v1/metrics',
    body: { topic, value: String(value) },
  } as const;
  for (;;) {
    const { isGood, ending } = await client.send('write', request, resultOf(topic));
    if (isGood) return true;
    await client.lookAgain(signal);
    if (!wasNeverSent(ending) || signal.aborted) return false;
  }
}

/** The port was closed, or a proxy answered that it cannot forward the request now. */
function wasNeverSent(ending: Ending): boolean {
  return ending.kind === 'refused' || (ending.kind === 'answered' && ending.status === 503 && ending.later);
}

function resultOf(topic: string): Judge {
  return (status, body) => {
    if (status === 200) return body === JSON.stringify({ topic, result: 'ok' }) ? 'good' : 'unexpected';
    if (status === 422) return body.includes(topic) ? 'failed' : 'unexpected';
    return status >= 400 ? 'failed' : 'unexpected';
  };
}

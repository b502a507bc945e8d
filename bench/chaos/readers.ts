import type { Visitor } from './client-kind.ts';
import type { Dice } from './dice.ts';
import type { Judge } from './journal.ts';

/**
 * Reads one topic after another at random, so that an answer tells for whom it was, and repeats what failed.
 *
 * @param host always there instead of where the cloud says
 */
export async function read(
  visitor: Visitor,
  topics: readonly string[],
  dice: Dice,
  signal: AbortSignal,
  host?: string,
): Promise<void> {
  const purpose = host === undefined ? 'read' : 'read elsewhere';
  while (!signal.aborted) {
    const topic = dice.pick(topics);
    const path = `/api/v1/metrics?topic=${encodeURIComponent(topic)}`;
    const { isGood } = await visitor.ask(purpose, { path }, rowsOf(topic), host);
    if (isGood) await visitor.pause(signal);
    else await visitor.lookAgain(signal);
  }
}

/** Asks for what there is not, under a name that nobody else uses; the device's refusal repeats the name. */
export async function echo(visitor: Visitor, name: string, signal: AbortSignal): Promise<void> {
  for (let number = 1; !signal.aborted; number++) {
    const topic = `${name}/${number}`;
    const question = { method: 'POST', path: '/api/v1/metrics', body: { topic, value: '1' } } as const;
    const { isGood } = await visitor.ask('echo', question, refusalOf(topic));
    if (isGood) await visitor.pause(signal);
    else await visitor.lookAgain(signal);
  }
}

/** Asks the cloud for the way in, whether or not anything failed. */
export async function authorize(visitor: Visitor, signal: AbortSignal): Promise<void> {
  while (await visitor.pause(signal)) await visitor.authorize();
}

/** After a start the device may not know a value yet: then there is no row. */
function rowsOf(topic: string): Judge {
  return (status, body) => {
    if (status !== 200) return status >= 400 ? 'failed' : 'strange';
    const rows = parsed(body);
    const isMine = Array.isArray(rows) && rows.length <= 1 && rows.every((row) => row.topic === topic);
    return isMine ? 'good' : 'strange';
  };
}

function refusalOf(topic: string): Judge {
  return (status, body) => {
    if (status === 422) return body.includes(`"${topic} `) ? 'good' : 'strange';
    return status >= 400 ? 'failed' : 'strange';
  };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

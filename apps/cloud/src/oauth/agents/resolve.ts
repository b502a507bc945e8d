import { Resolver } from 'node:dns/promises';

/** How long a name server may take, in milliseconds; asked twice at most. */
const ANSWER_TIMEOUT_MS = 1_500;

/**
 * The addresses of a name, asked of DNS itself: what only this machine knows, in its hosts file or its search domains,
 * is not found, and a name server that takes its time holds up no thread that others need.
 *
 * @param signal ends the questions
 * @returns none for a name that has none
 */
export async function resolvePublicly(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: ANSWER_TIMEOUT_MS, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

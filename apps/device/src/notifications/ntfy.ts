import type { AlertMessage } from './alert-message.ts';

/** Longest time for an answer, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** From 1, without a sound, to 5. Source: https://docs.ntfy.sh/publish/#message-priority. */
const PRIORITIES = { information: 2, warning: 4, critical: 5 } as const;
const CLEARED_PRIORITY = 2;

/** Names of pictures beside the title. Source: https://docs.ntfy.sh/emojis. */
const TAGS = { information: 'information_source', warning: 'warning', critical: 'rotating_light' } as const;
const CLEARED_TAG = 'white_check_mark';

/** A message was certainly not taken: it was refused, or the server was not reached. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  /** Whether the server would refuse it again. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Failures before anything was sent. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface NtfyTopic {
  readonly url: string;
  readonly token: string | undefined;
}

/**
 * Publishes a message to a topic of an ntfy server, as JSON: headers carry no other letters than ASCII.
 *
 * @throws NotTaken; another error where the message may have been taken
 */
export async function publish(
  { url, token }: NtfyTopic,
  title: string,
  { is, severity, text }: AlertMessage,
  signal: AbortSignal,
): Promise<void> {
  const { server, topic } = partsOf(url);
  const answer = await request(server, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      topic,
      title,
      message: text,
      priority: is === 'cleared' ? CLEARED_PRIORITY : PRIORITIES[severity],
      tags: [is === 'cleared' ? CLEARED_TAG : TAGS[severity]],
    }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await answer.body?.cancel();
  if (answer.ok) return;
  const reason = `${new URL(server).host} answers ${answer.status}`;
  // A wrong token or a topic that is not allowed is mended by a person, a full quota by the time.
  throw new NotTaken(reason, answer.status === 400 || answer.status === 413);
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (NEVER_SENT.has(code)) throw new NotTaken(`${new URL(url).host} cannot be reached: ${String(code)}`);
    throw error;
  }
}

/** @example partsOf('https://ntfy.sh/home') // { server: 'https://ntfy.sh/', topic: 'home' } */
function partsOf(url: string): { readonly server: string; readonly topic: string } {
  const { origin, pathname } = new URL(url);
  const end = pathname.lastIndexOf('/');
  return { server: origin + pathname.slice(0, end + 1), topic: pathname.slice(end + 1) };
}

import type { NotificationConfig, NtfyConfig } from '../../config/notification-config.ts';
import type { AlertMessage } from './alert-message.ts';
import { NotTaken } from './not-taken.ts';

/** Longest time for an answer, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** From 1, without a sound, to 5. Source: https://docs.ntfy.sh/publish/#message-priority. */
const PRIORITIES = { information: 2, warning: 4, critical: 5 } as const;
const CLEARED_PRIORITY = 2;

/** Names of pictures beside the title. Source: https://docs.ntfy.sh/emojis. */
const TAGS = { information: 'information_source', warning: 'warning', critical: 'rotating_light' } as const;
const CLEARED_TAG = 'white_check_mark';

/** Failures before anything was sent. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Publishes messages to a topic of an ntfy server, as JSON: headers carry no other letters than ASCII. */
export class NtfyChannel implements AlertChannel {
  readonly host: string;
  readonly id: string;
  readonly #config: NtfyConfig;

  constructor(config: NtfyConfig) {
    this.#config = config;
    this.host = new URL(config.ntfy).host;
    this.id = config.ntfy;
  }

  async send(title: string, { is, severity, text }: AlertMessage, signal: AbortSignal): Promise<void> {
    const { ntfy, token } = this.#config;
    const { server, topic } = partsOf(ntfy);
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
    const reason = `${this.host} answers ${answer.status}`;
    // A wrong token or a topic that is not allowed is mended by a person, a full quota by the time.
    throw new NotTaken(reason, answer.status === 400 || answer.status === 413);
  }
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

/** The way of messages to one receiver. */
export interface AlertChannel {
  /** The host of the server, for logs. */
  readonly host: string;
  /** Distinguishes the receiver from all others. */
  readonly id: string;
  /**
   * @param title stands above the message: the name of the site
   * @throws NotTaken; another error where the message may have been taken
   */
  send(title: string, message: AlertMessage, signal: AbortSignal): Promise<void>;
}

/** The code for mails is loaded where it is wanted only: it has half a megabyte. */
export async function channelOf(receiver: NotificationConfig): Promise<AlertChannel> {
  if ('ntfy' in receiver) return new NtfyChannel(receiver);
  const { SmtpChannel } = await import('./smtp.ts');
  return new SmtpChannel(receiver);
}

import type { ShortMessage } from './messages.ts';
import type { NtfyChannel, TelegramChannel } from './secrets.ts';
import { encryptPush, type PushKeyPair, pushAuthorization, type SubscriptionKeys } from './web-push.ts';

/** A message as it is posted. */
export interface Posted {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A push service keeps a message for a browser that is off for as long, in seconds. */
const PUSH_TTL_S = 3 * 24 * 60 * 60;

/** Source: https://www.rfc-editor.org/rfc/rfc8030#section-5.3. */
const URGENCIES = { information: 'low', warning: 'normal', critical: 'high' } as const;

export interface PushTarget extends SubscriptionKeys {
  readonly endpoint: string;
}

/** @param message with the count of alerts that are open, which the icon of the app shows */
export function pushOf(
  message: ShortMessage & { readonly openAlerts: number },
  target: PushTarget,
  service: { readonly keys: PushKeyPair; readonly contact: string; readonly nowMs: number },
): Posted {
  const { title, body, path, tag, severity, openAlerts: badge } = message;
  const payload = JSON.stringify({ title, body, url: path, tag, severity, badge });
  return {
    address: target.endpoint,
    headers: {
      authorization: pushAuthorization(target.endpoint, service.keys, service.contact, service.nowMs),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(PUSH_TTL_S),
      urgency: URGENCIES[severity],
      // Of messages that wait for a browser that is off, the last one about an alert is enough.
      topic: tag,
    },
    body: encryptPush(Buffer.from(payload), target),
  };
}

/** From 1, without a sound, to 5. Source: https://docs.ntfy.sh/publish/#message-priority. */
const NTFY_PRIORITIES = { information: 2, warning: 4, critical: 5 } as const;
const NTFY_ENDED_PRIORITY = 2;

/** Names of pictures beside the title. Source: https://docs.ntfy.sh/emojis. */
const NTFY_TAGS = {
  information: 'information_source',
  warning: 'warning',
  critical: 'rotating_light',
} as const;
const NTFY_ENDED_TAG = 'white_check_mark';

/** As JSON to the server of the topic: headers carry no other letters than ASCII. */
export function ntfyOf(message: ShortMessage, { url, token }: NtfyChannel, portal: string): Posted {
  const { title, body, path, severity, hasEnded } = message;
  const { origin, pathname } = new URL(url);
  const end = pathname.lastIndexOf('/');
  return {
    address: origin + pathname.slice(0, end + 1),
    headers: {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      topic: pathname.slice(end + 1),
      title,
      message: body,
      click: portal + path,
      priority: hasEnded ? NTFY_ENDED_PRIORITY : NTFY_PRIORITIES[severity],
      tags: [hasEnded ? NTFY_ENDED_TAG : NTFY_TAGS[severity]],
    }),
  };
}

export const TELEGRAM_HOST = 'api.telegram.org';

/** Source: https://core.telegram.org/bots/api#sendmessage. */
export function telegramOf(
  { title, body, path, severity, hasEnded }: ShortMessage,
  { botToken, chatId }: TelegramChannel,
  portal: string,
): Posted {
  return {
    address: `https://${TELEGRAM_HOST}/bot${botToken}/sendMessage`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      chat_id: chatId,
      text: `${title}: ${body}\n${portal}${path}`,
      disable_notification: hasEnded || severity === 'information',
      link_preview_options: { is_disabled: true },
    }),
  };
}

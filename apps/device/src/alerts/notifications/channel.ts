import type { NotificationConfig } from '../../config/notification-config.ts';
import type { AlertMessage } from './alert-message.ts';
import { NtfyChannel } from './ntfy.ts';

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

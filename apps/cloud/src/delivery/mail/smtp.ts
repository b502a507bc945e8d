import { isLoopback } from '@heliograph/kit';
import { isFinal, summaryOf } from '@heliograph/kit/smtp-failure';
import { type Connected, connectToMailServer, type MailServer } from '@heliograph/kit/smtp-socket';
import { createTransport } from 'nodemailer';
import type { MailSender } from '../../common/config/env.ts';
import { type Mail, RecipientRefused, type Transport } from './transport.ts';

/** For a connection and its greeting, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

const SILENCE_TIMEOUT_MS = 30_000;

/** An idle connection is closed after this time, in milliseconds, before the server does. */
const IDLE_TIMEOUT_MS = 30_000;

const MAX_CONNECTIONS = 4;

/** Sends mails to a mail server over pooled connections. */
export class SmtpTransport implements Transport {
  readonly #pool: ReturnType<typeof createPool>;
  readonly #from: MailSender;
  readonly #closing = new AbortController();

  constructor(url: string, from: MailSender) {
    this.#pool = createPool(url, this.#closing.signal);
    this.#from = from;
  }

  async deliver(
    { id, recipient, senderName, subject, text, html, unsubscribeUrl, thread }: Mail,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, address } = this.#from;
    try {
      await this.#pool.sendMail({
        from: { name: senderName ?? name, address },
        to: recipient,
        // Explicit, so that no parsing of headers decides on the recipient; a string would be parsed as a list.
        envelope: { from: address, to: { name: '', address: recipient.address } },
        messageId: `<${id}@${domainOf(address)}>`,
        ...(thread !== undefined && answering(`<${thread}@${domainOf(address)}>`)),
        subject,
        text,
        html,
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
    } catch (error) {
      const summary = summaryOf(error);
      if (isFinal(error)) throw new RecipientRefused(summary, domainOf(recipient.address));
      throw new Error(summary);
    }
  }

  close(): void {
    this.#closing.abort();
    this.#pool.close({ force: true });
  }
}

/**
 * Makes a mail an answer to one that was never sent: whichever mail about a thing is the first to a reader, all have the same
 * beginning (RFC 5322, 3.6.4).
 */
function answering(messageId: string) {
  return { inReplyTo: messageId, references: messageId };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

function createPool(url: string, closing: AbortSignal) {
  const { username, hostname } = new URL(url);
  return createTransport({
    url,
    pool: true,
    getSocket: (server: MailServer, connected: Connected) => connectToMailServer(server, connected, closing),
    maxConnections: MAX_CONNECTIONS,
    // A lost connection may be an idle one that the server closed; a mail that fails twice waits in the queue.
    maxRequeues: 1,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    idleTimeout: IDLE_TIMEOUT_MS,
    socketCloseTimeout: 0,
    // An attacker on the line may hide that the server offers encryption; a password requires it.
    requireTLS: username !== '' && !isLoopback(hostname),
  });
}

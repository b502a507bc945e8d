import { createHash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { isFinal, summaryOf } from '@heliograph/kit/smtp-failure';
import { connectToMailServer } from '@heliograph/kit/smtp-socket';
import { createTransport } from 'nodemailer';
import type { SmtpConfig } from '../../config/notification-config.ts';
import type { AlertMessage } from './alert-message.ts';
import type { AlertChannel } from './channel.ts';
import { NotTaken } from './not-taken.ts';

/** For a connection and its greeting, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

const SILENCE_TIMEOUT_MS = 30_000;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Sends messages as mails, through a mail server. Alerts are rare: each mail has a connection of its own. */
export class SmtpChannel implements AlertChannel {
  readonly host: string;
  readonly id: string;
  readonly #config: SmtpConfig;

  constructor(config: SmtpConfig) {
    this.host = new URL(config.smtp).host;
    this.id = [config.smtp, ...config.to].join(' ');
    this.#config = config;
  }

  async send(title: string, { alertId, revision, text }: AlertMessage, signal: AbortSignal): Promise<void> {
    const { from, to } = this.#config;
    const addresses = to.map((address) => ({ name: '', address }));
    const transport = this.#transport(signal);
    let isBegun = false;
    // Called when the text of the mail is about to be sent.
    transport.use('stream', (mail, done) => {
      mail.message.transform(() => {
        isBegun = true;
        return new PassThrough();
      });
      done();
    });
    try {
      await transport.sendMail({
        from: { name: title, address: from },
        to: addresses,
        // Explicit, so that no parsing of headers decides on the recipients.
        envelope: { from, to: addresses },
        messageId: `<${this.#messageId(alertId, revision)}@${domainOf(from)}>`,
        subject: `${title}: ${text}`,
        text: `${text}\n`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const summary = `${this.host}: ${summaryOf(error)}`;
      // A server that answered has refused; without an answer to the text it may have taken the mail.
      if (!isBegun || (error instanceof Error && 'responseCode' in error))
        throw new NotTaken(summary, isFinal(error));
      throw new Error(summary);
    } finally {
      transport.close();
    }
  }

  #transport(signal: AbortSignal) {
    const { smtp, username, password, ca } = this.#config;
    const { protocol, hostname, port } = new URL(smtp);
    return createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      ...(port !== '' && { port: Number(port) }),
      secure: protocol === 'smtps:',
      ...(username !== undefined && { auth: { user: username, pass: password ?? '' } }),
      getSocket: (server, connected) => connectToMailServer(server, connected, signal),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      // An attacker on the line may hide that the server offers encryption; a password requires it.
      requireTLS: username !== undefined && !LOOPBACK.test(hostname),
      ...(ca !== undefined && { tls: { ca: [...rootCertificates, ca] } }),
    });
  }

  /** The same for a message that is sent again, so that a mail server can drop the copy. */
  #messageId(alertId: number, revision: number): string {
    const receiver = createHash('sha256').update(this.id).digest('base64url').slice(0, 12);
    return `alert-${alertId}.${revision}.${receiver}`;
  }
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

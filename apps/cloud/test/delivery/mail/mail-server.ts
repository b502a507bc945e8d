import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  /** The recipients of the envelope. */
  readonly recipients: readonly string[];
  readonly sender: string;
  /** The connection was encrypted. */
  readonly secure: boolean;
  /** The authenticated user. */
  readonly user: string | undefined;
  /** The mail as received. */
  readonly raw: string;
  readonly mail: Email;
}

/** Instead of acceptance: an SMTP reply such as `550 5.1.1 unknown`, no reply at all, or a closed connection. */
export type Refusal = string | 'silence' | 'hang up';

export interface MailServerOptions {
  /** 0 lets the system pick one. */
  readonly port?: number;
  /** Encrypted from the first byte on. */
  readonly secure?: boolean;
  /** Requires this user. */
  readonly auth?: { readonly user: string; readonly password: string };
  /** Called for each recipient. */
  readonly onRecipient?: (address: string) => Refusal | undefined;
  /** Called when a mail is complete. */
  readonly onMail?: (mail: ReceivedMail) => Refusal | undefined | Promise<undefined>;
}

/** A mail server that stores received mails. */
export class TestMailServer implements AsyncDisposable {
  readonly received: ReceivedMail[] = [];
  readonly #server: SMTPServer;
  readonly #options: MailServerOptions;
  /** By the port of the client. */
  readonly #sockets = new Map<number, Socket>();

  constructor(options: MailServerOptions) {
    this.#options = options;
    const { secure = false, auth } = options;
    this.#server = new SMTPServer({
      secure,
      key: TEST_TLS.key,
      cert: TEST_TLS.cert,
      authOptional: auth === undefined,
      closeTimeout: 100,
      onAuth({ username, password }, _session, done) {
        const isRight = username === auth?.user && password === auth?.password;
        done(isRight ? null : new Error('Wrong password'), isRight ? { user: username } : undefined);
      },
      onRcptTo: ({ address }, session, done) => {
        this.#answer(options.onRecipient?.(address), session, done);
      },
      onData: (stream, session, done) => {
        this.#read(stream, session).then(async (mail) => {
          const refusal = await options.onMail?.(mail);
          if (refusal === undefined) this.received.push(mail);
          this.#answer(refusal, session, done);
        }, done);
      },
    });
    // Clients that are cut off, or that distrust the certificate, are errors to it.
    this.#server.on('error', () => undefined);
    inPieces(this.#server.server);
    this.#server.server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket.remotePort ?? 0, socket);
    });
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** A URL for SMTP_URL. */
  get url(): string {
    const { secure = false, auth } = this.#options;
    const credentials = auth === undefined ? '' : `${auth.user}:${encodeURIComponent(auth.password)}@`;
    return `smtp${secure ? 's' : ''}://${credentials}127.0.0.1:${this.port}?tls.rejectUnauthorized=false`;
  }

  /** The mails for one address. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ recipients }) => recipients.includes(address));
  }

  async start(): Promise<this> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(this.#options.port ?? 0, '127.0.0.1', resolve);
    await promise;
    this.#server.off('error', reject);
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #read(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedMail> {
    const raw = await text(stream);
    const { mailFrom, rcptTo } = session.envelope;
    return {
      sender: mailFrom === false ? '' : mailFrom.address,
      recipients: rcptTo.map(({ address }) => address),
      secure: session.secure,
      user: session.user,
      raw,
      mail: await PostalMime.parse(raw),
    };
  }

  #answer(
    refusal: Refusal | undefined,
    { remotePort }: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): void {
    if (refusal === 'silence') return;
    if (refusal === 'hang up') this.#sockets.get(remotePort)?.destroy();
    else done(refusal === undefined ? null : replyOf(refusal));
  }
}

/** @param refusal an SMTP reply; the server's library sends the code and the text of an error */
function replyOf(refusal: string): Error {
  return Object.assign(new Error(refusal.slice(4)), { responseCode: Number(refusal.slice(0, 3)) });
}

import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import type { SmtpConfig } from '../../config/notification-config.ts';
import type { AlertMessage } from './alert-message.ts';
import { NotTaken } from './not-taken.ts';
import { SmtpChannel } from './smtp.ts';

const MESSAGE: AlertMessage = {
  alertId: 12,
  revision: 34,
  is: 'raised',
  severity: 'critical',
  text: 'Батарея 1: заряд 4,5 %',
};

interface Received {
  readonly mail: Email;
  readonly recipients: readonly string[];
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

/** The answer to a mail in place of its acceptance; `lost`: the mail is taken, and the connection ends. */
type Refusal = { readonly code: number; readonly text: string } | 'lost';

interface ServerOptions {
  readonly secure?: boolean;
  readonly hasTls?: boolean;
  readonly refusal?: Refusal;
  readonly unknown?: string;
}

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

/** A mail server with the user "home", whose password is "secret". */
async function mailServer(options: ServerOptions = {}): Promise<{ port: number; received: Received[] }> {
  const { secure = false, hasTls = true, refusal, unknown } = options;
  const received: Received[] = [];
  const server = new SMTPServer({
    secure,
    key: TEST_TLS.key,
    cert: TEST_TLS.cert,
    ...(!hasTls && { disabledCommands: ['STARTTLS'] }),
    authOptional: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      password === 'secret'
        ? done(null, { user: username })
        : done(Object.assign(new Error('5.7.8 wrong'), { responseCode: 535 })),
    onRcptTo: ({ address }, _session, done) =>
      done(address === unknown ? Object.assign(new Error('5.1.1 unknown'), { responseCode: 550 }) : null),
    onData: (stream, session, done) => {
      const { envelope, secure: isSecure, user } = session;
      const recipients = envelope.rcptTo.map(({ address }) => address);
      void textOf(stream).then(async (raw) => {
        if (refusal !== undefined && refusal !== 'lost')
          return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        received.push({ mail: await PostalMime.parse(raw), recipients, isSecure, user });
        if (refusal === 'lost') for (const socket of sockets) socket.destroy();
        else done();
      });
    },
  });
  const sockets = new Set<{ destroy(): void }>();
  inPieces(server.server);
  server.server.on('connection', (socket) => sockets.add(socket));
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => new Promise((resolve) => server.close(() => resolve()));
  return { port: (server.server.address() as AddressInfo).port, received };
}

const channelTo = (port: number, config: Partial<SmtpConfig> = {}): SmtpChannel =>
  new SmtpChannel({
    smtp: `smtp://127.0.0.1:${port}`,
    username: undefined,
    password: undefined,
    ca: TEST_TLS.cert.toString(),
    from: 'home@example.org',
    to: ['ada@example.org'],
    severity: 'warning',
    language: 'uk',
    ...config,
  });

const send = (channel: SmtpChannel): Promise<void> =>
  channel.send('Хутір', MESSAGE, new AbortController().signal);

const failureOf = async (channel: SmtpChannel): Promise<unknown> =>
  send(channel).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('SmtpChannel', () => {
  it('a message is a mail to each address, over TLS, from the name of the site', async () => {
    const { port, received } = await mailServer();
    await send(
      channelTo(port, { username: 'home', password: 'secret', to: ['ada@example.org', 'bob@example.org'] }),
    );
    expect(received).toMatchObject([
      { recipients: ['ada@example.org', 'bob@example.org'], isSecure: true, user: 'home' },
    ]);
    expect(received[0]?.mail).toMatchObject({
      from: { name: 'Хутір', address: 'home@example.org' },
      subject: 'Хутір: Батарея 1: заряд 4,5 %',
      text: 'Батарея 1: заряд 4,5 %\n',
      messageId: expect.stringMatching(/^<alert-12\.34\.[\w-]+@example\.org>$/),
    });
  });

  it('a mail server that is encrypted from the first byte takes it, too', async () => {
    const { port, received } = await mailServer({ secure: true });
    await send(channelTo(port, { smtp: `smtps://127.0.0.1:${port}` }));
    expect(received).toMatchObject([{ isSecure: true, user: undefined }]);
  });

  it('a certificate that is not trusted is refused, and the message certainly not taken', async () => {
    const { port, received } = await mailServer({ secure: true });
    const channel = channelTo(port, { smtp: `smtps://127.0.0.1:${port}`, ca: undefined });
    expect(await failureOf(channel)).toMatchObject({ name: 'NotTaken', isFinal: false });
    expect(received).toEqual([]);
  });

  it.each([
    ['a wrong password', {}, { username: 'home', password: 'wrong' }, false],
    ['an address that the server does not know', { unknown: 'ada@example.org' }, {}, true],
    ['a text that the server refuses', { refusal: { code: 554, text: '5.6.0 no' } }, {}, false],
    ['a server that is full', { refusal: { code: 452, text: '4.2.2 full' } }, {}, false],
  ] as const)('the message was certainly not taken with %s', async (_case, server, config, isFinal) => {
    const { port, received } = await mailServer(server);
    const failure = await failureOf(channelTo(port, config));
    expect(failure).toMatchObject({ name: 'NotTaken', isFinal });
    expect(String(failure)).not.toMatch(/ada@|wrong/);
    expect(received).toEqual([]);
  });

  it('the message was certainly not taken where there is no server', async () => {
    const { port } = await mailServer();
    await close?.();
    expect(await failureOf(channelTo(port))).toBeInstanceOf(NotTaken);
  });

  it('a message that is sent again has the id of the first mail', async () => {
    const { port, received } = await mailServer();
    const channel = channelTo(port);
    await send(channel);
    await send(channel);
    const [first, second] = received.map(({ mail }) => mail.messageId);
    expect(second).toBe(first);
    expect(first).not.toBe(undefined);
  });

  it('a message whose answer was lost may have been taken', async () => {
    const { port, received } = await mailServer({ refusal: 'lost' });
    const failure = await failureOf(channelTo(port));
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(NotTaken);
    expect(received).toHaveLength(1);
  });
});

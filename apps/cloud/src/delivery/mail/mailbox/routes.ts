import { MAX_ID } from '@heliograph/contracts';
import { type Static, Type } from 'typebox';
import type { App } from '../../../http/app-type.ts';
import { listPage, messagePage, PAGE_POLICY } from './page.ts';
import type { MailboxMessage } from './repository.ts';
import type { Mailbox } from './service.ts';

interface PresentedMessage {
  readonly id: number;
  /** An ISO 8601 date-time. */
  readonly sent_at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

function presentMessage({ id, sentAt, recipient, subject, text, html }: MailboxMessage): PresentedMessage {
  return { id, sent_at: sentAt.toISOString(), to: recipient, subject, text, html };
}

const MessageParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: MAX_ID }) });

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** The pages that show the mails of a development system; they require no token. */
export function mailboxRoutes(app: App, mailbox: Mailbox): void {
  app.get('/mailbox', async (_request, reply) =>
    reply.headers(PAGE_HEADERS).send(Buffer.from(listPage(await mailbox.list()))),
  );

  app.get('/mailbox.json', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return (await mailbox.list()).map(presentMessage);
  });

  app.get<{ Params: Static<typeof MessageParams> }>(
    '/mailbox/:id',
    { schema: { params: MessageParams } },
    async ({ params }, reply) =>
      reply.headers(PAGE_HEADERS).send(Buffer.from(messagePage(await mailbox.message(params.id)))),
  );
}

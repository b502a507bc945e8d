import { MAX_ID } from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../../http/app-type.ts';
import { listPage, messagePage, PAGE_POLICY } from './page.ts';
import { presentMessage } from './present.ts';
import type { Mailbox } from './service.ts';

const MessageParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: MAX_ID }) });

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** The pages of a development system where its mails are read; no token is asked for. */
export function mailboxRoutes(app: App, mailbox: Mailbox): void {
  app.get('/mailbox', { schema: { hide: true } }, async (_request, reply) =>
    reply.headers(PAGE_HEADERS).send(Buffer.from(listPage(await mailbox.list()))),
  );

  app.get('/mailbox.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return (await mailbox.list()).map(presentMessage);
  });

  app.get('/mailbox/:id', { schema: { hide: true, params: MessageParams } }, async ({ params }, reply) =>
    reply.headers(PAGE_HEADERS).send(Buffer.from(messagePage(await mailbox.message(params.id)))),
  );
}

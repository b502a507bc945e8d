import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../../http/guards.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { serveUseCases } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import {
  type Download,
  downloadHeaders,
  getOwnTicketAttachment,
  getTicketAttachment,
} from './attachments.ts';
import { resolveOwnTicket, updateTicket } from './changes.ts';
import { createTicket } from './create-ticket.ts';
import { listTicketHandlers } from './handlers.ts';
import { replyToOwnTicket, replyToTicket } from './replies.ts';
import {
  getOwnTicket,
  getTicket,
  listOwnTicketMessages,
  listOwnTickets,
  listTicketMessages,
  listTickets,
} from './tickets.ts';
import { createUpload } from './uploads.ts';

export function ticketRoutes(api: Api, platform: Platform): void {
  serveUseCases(api, platform, {
    listTickets,
    getTicket,
    listTicketMessages,
    listTicketHandlers,
    replyToTicket,
    updateTicket,
    listOwnTickets,
    getOwnTicket,
    listOwnTicketMessages,
    replyToOwnTicket,
    resolveOwnTicket,
  });

  api.serve(cloudOperations.createTicket, (request) =>
    createTicket(platform, callerOf(request), {
      body: request.body,
      host: request.host,
      key: idempotencyKeyOf(request),
    }),
  );

  api.serve(cloudOperations.getTicketAttachment, async (request, reply) =>
    send(reply, await getTicketAttachment(platform, callerOf(request), request)),
  );

  api.serve(cloudOperations.getOwnTicketAttachment, async (request, reply) =>
    send(reply, await getOwnTicketAttachment(platform, callerOf(request), request)),
  );

  api.serveBytes(cloudOperations.createUpload, (request) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return createUpload(platform, callerOf(request), request.query.name, bytes);
  });
}

function send(reply: FastifyReply, download: Download): FastifyReply {
  return reply.headers(downloadHeaders(download)).send(download.bytes);
}

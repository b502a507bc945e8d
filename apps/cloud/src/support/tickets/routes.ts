import { cloudOperations } from '@heliograph/contracts/operations';
import type { Api } from '@heliograph/http/api';
import type { FastifyReply } from 'fastify';
import { callerOf } from '../../http/guards.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { type Download, downloadHeaders } from './download.ts';
import type { OwnTicketService } from './own-tickets.ts';
import type { TicketService } from './service.ts';
import type { UploadService } from './uploads.ts';

export interface TicketRouteServices {
  readonly tickets: TicketService;
  readonly ownTickets: OwnTicketService;
  readonly uploads: UploadService;
}

export function ticketRoutes(api: Api, { tickets, ownTickets, uploads }: TicketRouteServices): void {
  api.serve(cloudOperations.listTickets, (request) => tickets.list(callerOf(request), request.query));

  api.serve(cloudOperations.getTicket, (request) => tickets.show(callerOf(request), request.params.id));

  api.serve(cloudOperations.listTicketMessages, (request) =>
    tickets.messages(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.listTicketHandlers, (request) =>
    tickets.handlers(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.getTicketAttachment, async (request, reply) => {
    const { id, attachment_id: attachmentId } = request.params;
    return send(reply, await tickets.attachment(callerOf(request), id, attachmentId));
  });

  api.serve(cloudOperations.replyToTicket, (request) =>
    tickets.reply(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.updateTicket, (request) =>
    tickets.update(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.listOwnTickets, (request) => ownTickets.list(callerOf(request), request.query));

  api.serve(cloudOperations.createTicket, (request) =>
    ownTickets.create(callerOf(request), request.body, request.host, idempotencyKeyOf(request)),
  );

  api.serve(cloudOperations.getOwnTicket, (request) => ownTickets.show(callerOf(request), request.params.id));

  api.serve(cloudOperations.listOwnTicketMessages, (request) =>
    ownTickets.messages(callerOf(request), request.params.id, request.query),
  );

  api.serve(cloudOperations.getOwnTicketAttachment, async (request, reply) => {
    const { id, attachment_id: attachmentId } = request.params;
    return send(reply, await ownTickets.attachment(callerOf(request), id, attachmentId));
  });

  api.serveBytes(cloudOperations.createUpload, (request) => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    return uploads.create(callerOf(request), request.query.name, bytes);
  });

  api.serve(cloudOperations.replyToOwnTicket, (request) =>
    ownTickets.reply(callerOf(request), request.params.id, request.body),
  );

  api.serve(cloudOperations.resolveOwnTicket, (request) =>
    ownTickets.resolve(callerOf(request), request.params.id),
  );
}

function send(reply: FastifyReply, download: Download): FastifyReply {
  return reply.headers(downloadHeaders(download)).send(download.bytes);
}

import { Type } from 'typebox';
import { PageQuery } from '../schemas/page.ts';
import {
  ATTACHMENT_TYPES,
  type AttachmentType,
  CreateTicketBody,
  MAX_ATTACHMENT_SIZE,
  OwnTicket,
  OwnTicketListQuery,
  OwnTicketWithMessages,
  ReplyToOwnTicketBody,
  ReplyToTicketBody,
  Ticket,
  TicketAttachmentParams,
  TicketHandler,
  TicketListQuery,
  TicketMessage,
  TicketParams,
  TicketWithMessages,
  UpdateTicketBody,
  Upload,
  UploadQuery,
} from '../schemas/tickets.ts';
import { operations } from './operation.ts';

const File = Type.Unsafe<Uint8Array>({ description: 'The file as it is, at most 10 MiB' });
const fileContent = { 'application/octet-stream': { schema: File } };
const FileAnswer = {
  description: 'The file, for storing: never for showing',
  content: Object.fromEntries(ATTACHMENT_TYPES.map((type) => [type, { schema: File }])) as Readonly<
    Record<AttachmentType, { readonly schema: typeof File }>
  >,
};

export const ticketOperations = operations('tickets', {
  listTickets: {
    route: 'GET /api/v1/tickets',
    summary: 'Lists the tickets that the caller handles or requested, the last changed first',
    description:
      'A ticket is handled by the employees of its organization, and by operators; one without an organization by operators alone.',
    requires: ['tickets:read_all'],
    query: TicketListQuery,
    answers: { 200: Type.Array(Ticket) },
  },

  getTicket: {
    route: 'GET /api/v1/tickets/{id}',
    summary: 'Shows a ticket with its newest messages',
    requires: ['tickets:read_all'],
    params: TicketParams,
    answers: { 200: TicketWithMessages },
    refusals: [404],
  },

  listTicketMessages: {
    route: 'GET /api/v1/tickets/{id}/messages',
    summary: 'Lists the messages of a ticket, the oldest first',
    requires: ['tickets:read_all'],
    params: TicketParams,
    query: PageQuery,
    answers: { 200: Type.Array(TicketMessage) },
    refusals: [404],
  },

  listTicketHandlers: {
    route: 'GET /api/v1/tickets/{id}/handlers',
    summary: 'Lists who can be made the assignee of a ticket, by name; for those who handle it',
    description: 'The employees of its organization, and for operators the operators, too.',
    requires: ['tickets:read_all'],
    params: TicketParams,
    query: PageQuery,
    answers: { 200: Type.Array(TicketHandler) },
    refusals: [404],
  },

  getTicketAttachment: {
    route: 'GET /api/v1/tickets/{id}/attachments/{attachment_id}',
    summary: 'Downloads an attachment',
    requires: ['tickets:read_all'],
    params: TicketAttachmentParams,
    answers: { 200: FileAnswer },
    refusals: [404],
  },

  replyToTicket: {
    route: 'POST /api/v1/tickets/{id}/replies',
    summary: 'Replies to a ticket, or adds a note that the customer does not see',
    description:
      'A reply of the requester opens the ticket again; to a closed one it opens another, which continues it.',
    requires: ['tickets:write_all'],
    params: TicketParams,
    body: ReplyToTicketBody,
    answers: { 201: TicketMessage },
    refusals: [404, 422, 429],
  },

  updateTicket: {
    route: 'PATCH /api/v1/tickets/{id}',
    summary: 'Changes a ticket; for those who handle it',
    requires: ['tickets:write_all'],
    params: TicketParams,
    body: UpdateTicketBody,
    answers: { 200: Ticket },
    refusals: [404, 422],
  },

  createUpload: {
    route: 'POST /api/v1/uploads',
    summary: 'Uploads a file for a message, which is gone after an hour unless a message has it',
    description:
      'Takes PNG, JPEG, WebP, HEIC, HEIF, AVIF, MP4, QuickTime, PDF, ZIP, gzip, and text in UTF-8 such as CSV and JSON; the content decides, and no type that the request names.',
    requires: 'own_token',
    query: UploadQuery,
    body: { content: fileContent },
    bodyLimit: MAX_ATTACHMENT_SIZE,
    answers: { 201: Upload },
    refusals: [422, 429],
  },

  listOwnTickets: {
    route: 'GET /api/v1/user/tickets',
    summary: "Lists the caller's own tickets, the last changed first",
    requires: 'own_token',
    query: OwnTicketListQuery,
    answers: { 200: Type.Array(OwnTicket) },
  },

  createTicket: {
    route: 'POST /api/v1/user/tickets',
    summary: 'Opens a ticket',
    description:
      "The organization of the site handles the ticket, or the seller of the order, or that of the caller's token, or the one whose customer the caller is; without one the operator does, and for employees of that organization.",
    requires: 'own_token',
    body: CreateTicketBody,
    invalidFields: 422,
    takesIdempotencyKey: true,
    answers: { 201: OwnTicketWithMessages },
    refusals: [429],
  },

  getOwnTicket: {
    route: 'GET /api/v1/user/tickets/{id}',
    summary: "Shows one of the caller's own tickets with its newest messages",
    requires: 'own_token',
    params: TicketParams,
    answers: { 200: OwnTicketWithMessages },
    refusals: [404],
  },

  listOwnTicketMessages: {
    route: 'GET /api/v1/user/tickets/{id}/messages',
    summary: "Lists the messages of one of the caller's own tickets, the oldest first",
    requires: 'own_token',
    params: TicketParams,
    query: PageQuery,
    answers: { 200: Type.Array(TicketMessage) },
    refusals: [404],
  },

  getOwnTicketAttachment: {
    route: 'GET /api/v1/user/tickets/{id}/attachments/{attachment_id}',
    summary: "Downloads an attachment of one of the caller's own tickets",
    requires: 'own_token',
    params: TicketAttachmentParams,
    answers: { 200: FileAnswer },
    refusals: [404],
  },

  replyToOwnTicket: {
    route: 'POST /api/v1/user/tickets/{id}/replies',
    summary: "Replies to one of the caller's own tickets",
    description: 'Opens the ticket again; to a closed one it opens another, which continues it.',
    requires: 'own_token',
    params: TicketParams,
    body: ReplyToOwnTicketBody,
    invalidFields: 422,
    answers: { 201: TicketMessage },
    refusals: [404, 429],
  },

  resolveOwnTicket: {
    route: 'POST /api/v1/user/tickets/{id}/resolve',
    summary: "Resolves one of the caller's own tickets: it works",
    requires: 'own_token',
    params: TicketParams,
    answers: { 200: OwnTicket },
    refusals: [404, 422],
  },
});

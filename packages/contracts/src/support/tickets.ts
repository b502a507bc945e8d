import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { DateTime, Id, MAX_ID, nullable } from '../common/schemas.ts';
import { PlainMessage, PlainName } from '../text/plain-text.ts';
import {
  ATTACHMENT_TYPES,
  type AttachmentType,
  MAX_ATTACHMENT_SIZE,
  MAX_ATTACHMENTS,
  TicketAttachment,
  Upload,
  UploadQuery,
} from './attachments.ts';
import { RECOVERY_STATES } from './recovery-sessions.ts';

/** `pending`: the customer's turn. A resolved ticket closes after a while; a closed one never opens again. */
export const TICKET_STATES = ['open', 'pending', 'resolved', 'closed'] as const;
export type TicketState = (typeof TICKET_STATES)[number];

export const TICKET_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;
export type TicketPriority = (typeof TICKET_PRIORITIES)[number];

export const TICKET_CATEGORIES = ['technical', 'billing', 'activation', 'account', 'other'] as const;
export type TicketCategory = (typeof TICKET_CATEGORIES)[number];

export const TICKET_SOURCES = ['portal', 'device', 'email', 'api'] as const;
export type TicketSource = (typeof TICKET_SOURCES)[number];

/** The side that answers next. */
export const TICKET_TURNS = ['support', 'customer'] as const;
export type TicketTurn = (typeof TICKET_TURNS)[number];

/** `service`: the service itself. */
export const TICKET_SIDES = ['customer', 'support', 'service'] as const;
export type TicketSide = (typeof TICKET_SIDES)[number];

/** Messages that come with a ticket: the newest. */
export const MESSAGES_WITH_TICKET = 100;

const ID_RANGE = { minimum: 1, maximum: MAX_ID } as const;
const Named = Type.Object({ id: Type.Integer(), name: Type.String() });
const Person = Type.Object({
  id: Type.Integer(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
});

export const TicketMessage = Type.Object({
  id: Type.Integer(),
  ticket_id: Type.Integer({
    description: 'Another ticket than the one replied to, where that one was closed',
  }),
  body: Type.String({ description: 'Plain text' }),
  author: Type.Object({
    id: nullable(Type.Integer()),
    name: Type.String(),
    side: Type.Enum([...TICKET_SIDES]),
  }),
  internal: Type.Boolean({ description: 'A note among those who handle the ticket' }),
  attachments: Type.Array(TicketAttachment),
  created_at: DateTime,
});
export type TicketMessage = Static<typeof TicketMessage>;

/** For both sides. */
const shared = {
  id: Type.Integer(),
  subject: Type.String(),
  state: Type.Enum([...TICKET_STATES], { description: "pending: the customer's turn" }),
  awaiting: nullable(
    Type.Enum([...TICKET_TURNS], {
      description: 'Who answers next, by the last public message; null when resolved or closed',
    }),
  ),
  category: Type.Enum([...TICKET_CATEGORIES]),
  site: nullable(
    Type.Object({ id: Type.Integer(), name: nullable(Type.String()) }, { description: 'What it is about' }),
  ),
  order: nullable(
    Type.Object({ id: Type.Integer(), number: Type.String() }, { description: 'What it is about' }),
  ),
  organization: nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'Who handles it; null for the operator' },
    ),
  ),
  recovery_session: nullable(
    Type.Object(
      { id: Type.Integer(), site_id: Type.Integer(), state: Type.Enum([...RECOVERY_STATES]) },
      { description: 'The newest support recovery session about it' },
    ),
  ),
  follow_up_of: nullable(Type.Integer({ description: 'The closed ticket that it continues' })),
  message_count: Type.Integer({ description: 'Public messages' }),
  created_at: DateTime,
  updated_at: DateTime,
  last_message_at: DateTime,
  resolved_at: nullable(DateTime),
  closed_at: nullable(DateTime),
};

export const OwnTicket = Type.Object(shared);
export type OwnTicket = Static<typeof OwnTicket>;

export const Ticket = Type.Object({
  ...shared,
  priority: Type.Enum([...TICKET_PRIORITIES]),
  requester: Person,
  assignee: nullable(Named),
  source: Type.Enum([...TICKET_SOURCES]),
  waiting_since: nullable(
    Type.String({ format: 'date-time', description: 'Since when the one who answers next has been awaited' }),
  ),
});
export type Ticket = Static<typeof Ticket>;

/** A person who can be made the assignee of a ticket. */
export const TicketHandler = Person;
export type TicketHandler = Static<typeof TicketHandler>;

const messages = Type.Array(TicketMessage, {
  description: `The newest ${MESSAGES_WITH_TICKET}, the oldest of them first`,
});

export const TicketWithMessages = Type.Object({ ...Ticket.properties, messages });
export type TicketWithMessages = Static<typeof TicketWithMessages>;

export const OwnTicketWithMessages = Type.Object({ ...OwnTicket.properties, messages });
export type OwnTicketWithMessages = Static<typeof OwnTicketWithMessages>;

export const TicketParams = Type.Object({ id: Id });
export const TicketAttachmentParams = Type.Object({ id: Id, attachment_id: Id });

export const OwnTicketListQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Words of which each begins a word of the id, the subject, the name or address of the requester, or the name of ' +
        'the site, and filters written key:value. Keys are state, priority, category, awaiting, assignee (me, none or an ' +
        'id), organization_id (an id, or none for the operator), site_id, order_id, user_id, email, created_after and updated_after',
    }),
  ),
});
export type OwnTicketListQuery = Static<typeof OwnTicketListQuery>;

export const TicketListQuery = Type.Object({
  ...OwnTicketListQuery.properties,
  organization_id: Type.Optional(Type.Integer({ ...ID_RANGE, description: 'Only tickets that it handles' })),
});
export type TicketListQuery = Static<typeof TicketListQuery>;

const Body = PlainMessage({ maxLength: 20_000, description: 'Plain text' });
const UploadIds = Type.Optional(
  Type.Array(Id, {
    maxItems: MAX_ATTACHMENTS,
    description: 'Uploads of the caller that no message has yet, at most 25 MiB together',
  }),
);

export const CreateTicketBody = Type.Object({
  subject: PlainName({ maxLength: 200 }),
  body: Body,
  category: Type.Optional(Type.Enum([...TICKET_CATEGORIES], { default: 'other' })),
  site_id: Type.Optional(nullable(Type.Integer({ ...ID_RANGE, description: 'A site that the caller sees' }))),
  order_id: Type.Optional(
    nullable(Type.Integer({ ...ID_RANGE, description: "One of the caller's own orders" })),
  ),
  upload_ids: UploadIds,
});
export type CreateTicketBody = Static<typeof CreateTicketBody>;

export const ReplyToOwnTicketBody = Type.Object({ body: Body, upload_ids: UploadIds });
export type ReplyToOwnTicketBody = Static<typeof ReplyToOwnTicketBody>;

export const ReplyToTicketBody = Type.Object({
  ...ReplyToOwnTicketBody.properties,
  internal: Type.Optional(
    Type.Boolean({ default: false, description: 'A note that the customer does not see' }),
  ),
  state: Type.Optional(
    Type.Enum([...TICKET_STATES], {
      description: 'Left out: pending after a public reply to an open ticket, else unchanged',
    }),
  ),
});
export type ReplyToTicketBody = Static<typeof ReplyToTicketBody>;

export const UpdateTicketBody = Type.Object({
  state: Type.Optional(Type.Enum([...TICKET_STATES])),
  priority: Type.Optional(Type.Enum([...TICKET_PRIORITIES])),
  category: Type.Optional(Type.Enum([...TICKET_CATEGORIES])),
  assignee_id: Type.Optional(
    nullable(Type.Integer({ ...ID_RANGE, description: 'One of the handlers of the ticket' })),
  ),
  organization_id: Type.Optional(
    nullable(Type.Integer({ ...ID_RANGE, description: 'Who handles it; null hands it to the operator' })),
  ),
  site_id: Type.Optional(
    nullable(Type.Integer({ ...ID_RANGE, description: 'A site that the requester and the caller see' })),
  ),
});
export type UpdateTicketBody = Static<typeof UpdateTicketBody>;

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

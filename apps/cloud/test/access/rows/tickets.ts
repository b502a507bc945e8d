import type { AccessFixture, Target } from '../fixture.ts';
import { emptyRequest, uniqueName } from '../requests.ts';
import { type AccessRequest, accessRows } from '../row.ts';

/** A ticket of the owner, which the organization home handles. */
const ticket = async (_target: Target, { cloud, home, owner }: AccessFixture) => ({
  params: { id: await cloud.make.ticket(owner.id, { organizationId: home }) },
});

const ticketReply = async (target: Target, fixture: AccessFixture): Promise<AccessRequest> => ({
  ...(await ticket(target, fixture)),
  body: { body: uniqueName() },
});

const ticketAttachment = async (target: Target, fixture: AccessFixture): Promise<AccessRequest> => {
  const { params } = await ticket(target, fixture);
  const attachment_id = await fixture.cloud.make.attachment(params.id, fixture.owner.id);
  return { params: { ...params, attachment_id } };
};

export const TICKET_ROWS = accessRows(
  `
operation                   scope  stranger    rival customer   member    admin    owner  session   inHome   abroad    clerk  manager     boss   roving    staff   posted    oauth    other      mcp
listTickets                 tickets    200      200      200      200      200      200      403      200      200      200      200      200      200      200      200      403      403      401
getTicket                   tickets    404      404      404      404      404      200      403      200      404      200      200      200      200      200      404      403      403      401
listTicketMessages          tickets    404      404      404      404      404      200      403      200      404      200      200      200      200      200      404      403      403      401
listTicketHandlers          tickets    404      404      404      404      404      403      403      403      404      200      200      200      200      200      404      403      403      401
getTicketAttachment         tickets    404      404      404      404      404      200      403      200      404      200      200      200      200      200      404      403      403      401
replyToTicket               reply      404      404      404      404      404      201      403      201      404      201      201      201      201      201      404      403      403      401
noteOnTicket                reply      404      404      404      404      404      403      403      403      404      201      201      201      201      201      404      403      403      401
updateTicket                reply      404      404      404      404      404      403      403      403      404      200      200      200      200      200      404      403      403      401
getServiceTicket            tickets    404      404      404      404      404      200      403      404      404      404      404      404      404      200      404      403      403      401
createUpload                any        201      201      201      201      201      201      201      201      201      201      201      201      201      201      201      403      403      401
listOwnTickets              any        200      200      200      200      200      200      200      200      200      200      200      200      200      200      200      403      403      401
createTicket                any        201      201      201      201      201      201      201      201      201      201      201      201      201      201      201      403      403      401
getOwnTicket                any        404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
listOwnTicketMessages       any        404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
getOwnTicketAttachment      any        404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
replyToOwnTicket            any        404      404      404      404      404      201      201      201      404      404      404      404      404      404      404      403      403      401
resolveOwnTicket            any        404      404      404      404      404      200      200      200      404      404      404      404      404      404      404      403      403      401
`,
  {
    listTickets: { request: emptyRequest },
    getTicket: { request: ticket },
    getServiceTicket: {
      of: 'getTicket',
      request: async (_target, { cloud, owner }) => ({ params: { id: await cloud.make.ticket(owner.id) } }),
    },
    listTicketMessages: { request: ticket },
    listTicketHandlers: { request: ticket },
    getTicketAttachment: { request: ticketAttachment },
    replyToTicket: { request: ticketReply },
    noteOnTicket: {
      of: 'replyToTicket',
      request: async (target, fixture) => ({
        ...(await ticket(target, fixture)),
        body: { body: uniqueName(), internal: true },
      }),
    },
    updateTicket: {
      request: async (target, fixture) => ({
        ...(await ticket(target, fixture)),
        body: { priority: 'high' },
      }),
    },
    createUpload: {
      request: () => ({
        query: { name: `${uniqueName()}.txt` },
        raw: 'It is dark.',
        headers: { 'content-type': 'text/plain' },
      }),
    },
    listOwnTickets: { request: emptyRequest },
    createTicket: { request: () => ({ body: { subject: uniqueName(), body: 'It is dark.' } }) },
    getOwnTicket: { request: ticket },
    listOwnTicketMessages: { request: ticket },
    getOwnTicketAttachment: { request: ticketAttachment },
    replyToOwnTicket: { request: ticketReply },
    resolveOwnTicket: { request: ticket },
  },
);

import type { Locale } from '@heliograph/contracts';
import { fill } from '@heliograph/locales/read';
import type { Notice } from './access-notices.ts';
import type { MailJob } from './jobs.ts';
import { staffPath } from './links.ts';
import { oneLine, personalName } from './names.ts';
import type { MailRepository, MentionedPerson, TicketFacts } from './repository.ts';
import { textsOf } from './texts.ts';

type TicketJob = Extract<MailJob, { kind: 'ticket' }>;

/** Longest part of a message in a mail, in characters. */
const MAX_EXCERPT_LENGTH = 2_000;

/** @returns undefined when the reader no longer handles the ticket, or is not to read the message */
export async function ticketNotice(
  repository: MailRepository,
  job: TicketJob,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const ticket = await repository.ticket(job.ticketId, job.messageId);
  if (ticket === undefined || !(await isReader(repository, job, ticket))) return undefined;
  const texts = textsOf(locale).ticket;
  const isHandler = job.reader === 'handler';
  const author = ticket.authorId === null ? undefined : await repository.person(ticket.authorId, locale);
  const values = {
    brand,
    number: String(job.ticketId),
    title: oneLine(ticket.subject),
    author: isHandler ? fullyNamed(author, brand) : namedToCustomer(author, brand),
  };
  const { subject, text } = texts[job.event];
  const showsMessage = job.event === 'opened' || job.event === 'replied' || job.event === 'noted';
  return {
    subject: fill(subject, values),
    paragraphs: [
      fill(text, values),
      ...(showsMessage ? excerptOf(ticket.body) : []),
      ...(job.event === 'replied' && !isHandler && ticket.state === 'resolved' ? [texts.resolved.text] : []),
    ],
    button: texts.button,
    remarks: isHandler ? [] : [texts.answer],
    path: isHandler
      ? staffPath(ticket.organizationId, `/tickets/${job.ticketId}`)
      : `/user/tickets/${job.ticketId}`,
    thread: `ticket-${job.ticketId}`,
  };
}

async function isReader(
  repository: MailRepository,
  { reader, userId }: TicketJob,
  ticket: TicketFacts,
): Promise<boolean> {
  if (reader === 'requester') return ticket.requesterId === userId && !ticket.internal;
  return repository.handlesTickets(userId, ticket.organizationId);
}

/** The paragraphs of a message, shortened. */
function excerptOf(body: string): string[] {
  const text =
    body.length > MAX_EXCERPT_LENGTH ? `${body.slice(0, MAX_EXCERPT_LENGTH).toWellFormed()}…` : body;
  return text.split(/\n+/).filter((line) => line.trim() !== '');
}

/** Includes the email address, since people choose their own names. */
function fullyNamed(person: MentionedPerson | undefined, service: string): string {
  if (person === undefined) return service;
  const name = personalName(person.name);
  return name === undefined ? oneLine(person.email) : `${name} (${oneLine(person.email)})`;
}

/** Customers read no address of support; the service stands for its operators. */
function namedToCustomer(person: MentionedPerson | undefined, service: string): string {
  const name = person === undefined || person.staff ? undefined : personalName(person.name);
  return name === undefined ? service : `${name} (${service})`;
}

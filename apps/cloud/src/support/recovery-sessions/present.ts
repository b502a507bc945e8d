import type { Locale, RecoveryEvent, RecoverySession } from '@heliograph/contracts';
import { fullName } from '@heliograph/kit/person-name';
import type { EventRecord, PersonNames, SessionRecord } from './rows.ts';

/** @param locale of the reader */
export function presentRecoverySession(record: SessionRecord, locale: Locale): RecoverySession {
  const { organizationId, organizationName, state } = record;
  const lapsed = record.expiresAt ?? record.requestExpiresAt;
  const endedAt = record.declinedAt ?? record.endedAt ?? (state === 'expired' ? lapsed : null);
  return {
    id: record.id,
    site: { id: record.siteId, name: record.siteName },
    state,
    access: record.access,
    reason: record.reason,
    ticket_id: record.ticketId,
    party: {
      organization: organizationId === null ? null : { id: organizationId, name: organizationName ?? '' },
    },
    requested_by: record.requester && personOf(record.requester, locale),
    approved_by: record.approver && personOf(record.approver, locale),
    ended_by: record.ender && personOf(record.ender, locale),
    participants: record.participants.map(({ first_at, last_at, ...person }) => ({
      ...personOf(person, locale),
      first_at: new Date(first_at).toISOString(),
      last_at: new Date(last_at).toISOString(),
    })),
    hours: record.hours,
    requested_at: record.requestedAt.toISOString(),
    request_expires_at: record.requestExpiresAt?.toISOString() ?? null,
    opened_at: record.openedAt?.toISOString() ?? null,
    expires_at: record.expiresAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
    end_reason: record.endReason,
    changes: record.changes,
  };
}

/** @param locale of the reader */
export function presentRecoveryEvent({ user, at, ...record }: EventRecord, locale: Locale): RecoveryEvent {
  const { id, kind, subject, succeeded } = record;
  return { id, at: at.toISOString(), kind, user: user && personOf(user, locale), subject, succeeded };
}

function personOf(person: PersonNames, locale: Locale): { id: number; name: string } {
  return { id: person.id, name: nameOf(person, locale) };
}

/** The name of a person in a session, which owners of sites read; the number of an account without a name. */
export function nameOf(person: PersonNames, locale: Locale): string {
  return fullName(person, locale) || `user ${person.id}`;
}

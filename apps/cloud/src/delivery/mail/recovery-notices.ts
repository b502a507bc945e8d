import type { Locale } from '@heliograph/contracts';
import { unlinked } from '@heliograph/contracts/unlinked';
import { fill } from '@heliograph/locales/read';
import type { Notice } from './access-notices.ts';
import type { MailJob } from './jobs.ts';
import { oneLine, personalName, siteName } from './names.ts';
import type { MailRepository } from './repository.ts';
import { textsOf } from './texts.ts';
import { timeIn } from './time-in.ts';

type RecoveryJob = Extract<MailJob, { kind: 'recovery' }>;

/** @returns undefined when the session is gone, or the reader has no more to do with the site */
export async function recoveryNotice(
  repository: MailRepository,
  job: RecoveryJob,
  locale: Locale,
  brand: string,
): Promise<Notice | undefined> {
  const session = await repository.recoverySession(job.sessionId);
  if (session === undefined) return undefined;
  const isOfSite = await repository.hasRoleOn(session.siteId, job.userId);
  if (!isOfSite && session.requestedBy !== job.userId) return undefined;
  const texts = textsOf(locale).recovery;
  const requester =
    session.requestedBy === null ? undefined : await repository.person(session.requestedBy, locale);
  const firm = session.firm === null ? brand : oneLine(session.firm);
  const until = session.expiresAt ?? session.requestExpiresAt;
  const values = {
    brand,
    firm,
    site: siteName(session.siteName ?? String(session.siteId)),
    person: (requester && personalName(requester.name)) ?? firm,
    time: until === null ? '' : timeIn(locale, until.toISOString()),
    count: String(session.changes),
    access: {
      diagnose: texts.access.diagnose,
      repair: texts.access.repair,
      settings: texts.access.settings,
    }[session.access],
  };
  const { subject, text } = texts[job.event];
  const isAhead = job.event.startsWith('asked') || job.event === 'opened';
  return {
    subject: fill(subject, values),
    paragraphs: [
      fill(text, values),
      ...(isAhead ? [values.access, unlinked(session.reason.replaceAll(/\s+/g, ' '))] : []),
    ],
    button: texts.button,
    remarks: isOfSite && job.event !== 'ended' ? [texts.remark] : [],
    path: `/sites/${session.siteId}/support`,
    thread: `support-${job.sessionId}`,
  };
}

import type { Locale } from '@heliograph/contracts';
import { alertSentence } from '@heliograph/locales/alert-sentence';
import { fill, readTexts, type Texts } from '@heliograph/locales/read';
import type { Notified } from '../../db/notified.ts';
import type { Notice } from './access-notices.ts';
import { pageLink } from './links.ts';
import { oneLine, siteName } from './names.ts';
import { timeIn } from './time-in.ts';

/** A message about an alert or an outage, for mails and other channels alike. */
export interface NotificationText {
  /** A site or an organization; the service for a test and for alerts of several sites. */
  readonly place: string;
  /** Without its full stop. */
  readonly sentence: string;
  /** Its time; empty where there is none. */
  readonly time: string;
  /** Path of the page that shows it, below the portal. */
  readonly path: string;
}

/** A mail about all that a person is to know of. @returns undefined when there is none of it */
export function alertNotice(
  notified: readonly Notified[],
  locale: Locale,
  { brand, portal }: { readonly brand: string; readonly portal: string },
): Notice | undefined {
  const messages = notified.map((one) => notificationText(one, locale, brand));
  const [first] = messages;
  if (first === undefined) return undefined;
  const { subjectOfMany, button, remark, unsubscribe } = textsOf(locale).mail.alerts;
  const thread = threadOf(notified);
  const headlines = messages.map(({ place, sentence }) => oneLine(`${place}: ${sentence}`));
  return {
    subject:
      headlines.length === 1 ? `${headlines[0]}` : fill(subjectOfMany, { count: String(headlines.length) }),
    paragraphs: messages.map(({ place, sentence, time }) => `${place}: ${sentence}. ${time}`.trim()),
    button,
    remarks: [remark, fill(unsubscribe, { link: pageLink(portal, '/user/notifications') })],
    path: messages.every(({ path }) => path === first.path) ? first.path : '/alerts',
    ...(thread !== undefined && { thread }),
  };
}

/** Undefined for a mail about several alerts or outages, or about none. */
function threadOf(notified: readonly Notified[]): string | undefined {
  const threads = notified.map(({ alert, outage }) =>
    alert !== null ? `alert-${alert.id}` : outage !== null ? `outage-${outage.id}` : undefined,
  );
  return new Set(threads).size === 1 ? threads[0] : undefined;
}

export function notificationText(notified: Notified, locale: Locale, brand: string): NotificationText {
  const texts = textsOf(locale);
  const { alert, outage, further, kind } = notified;
  const { over } = texts.messages;
  const hasEnded = kind === 'cleared' || kind === 'ended';
  if (alert !== null) {
    const text = alertSentence(alert, texts, locale);
    const isAssigned = kind === 'assigned';
    return {
      place: siteName(alert.siteName ?? `#${alert.siteId}`),
      sentence: isAssigned
        ? fill(texts.mail.alerts.assigned, { text })
        : hasEnded
          ? fill(over, { text })
          : text,
      time: timeText(texts, locale, alert.raisedAt, hasEnded || isAssigned ? alert.clearedAt : null),
      path: `/sites/${alert.siteId}/alerts`,
    };
  }
  if (outage !== null) {
    const place = siteName(outage.organizationName);
    const sentence = fill(texts.mail.alerts.outage, { count: String(outage.sites) });
    return {
      place,
      sentence: hasEnded ? fill(over, { text: sentence }) : sentence,
      time: timeText(texts, locale, outage.beganAt, hasEnded ? outage.endedAt : null),
      path: '/alerts',
    };
  }
  if (further !== null) {
    const { count, siteId, siteName: name } = further;
    return {
      place: siteId === null ? brand : siteName(name ?? `#${siteId}`),
      sentence: fill(texts.mail.alerts.further, { count: String(count) }),
      time: '',
      path: siteId === null ? '/alerts' : `/sites/${siteId}/alerts`,
    };
  }
  return { place: brand, sentence: texts.mail.alerts.test, time: '', path: '/user/notifications' };
}

/** Of a message that may have arrived before. */
export function repeatedText(text: string, locale: Locale): string {
  return fill(textsOf(locale).messages.again, { text });
}

function timeText({ mail }: Texts, locale: Locale, from: Date, to: Date | null): string {
  const begin = timeIn(locale, from.toISOString());
  if (to === null) return fill(mail.alerts.since, { time: begin });
  return fill(mail.alerts.fromTo, { from: begin, to: timeIn(locale, to.toISOString()) });
}

const cache = new Map<Locale, Texts>();

function textsOf(locale: Locale): Texts {
  const texts = cache.get(locale) ?? readTexts(locale);
  cache.set(locale, texts);
  return texts;
}

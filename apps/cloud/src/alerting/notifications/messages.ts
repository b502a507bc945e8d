import type { AlertSeverity, Locale } from '@heliograph/contracts';
import type { Notified } from '../../db/notified.ts';
import { notificationText, repeatedText } from '../../delivery/mail/service.ts';

/** A message for a channel other than mail. */
export interface ShortMessage {
  readonly title: string;
  readonly body: string;
  /** Path of the page that it leads to, below the portal. */
  readonly path: string;
  /** A later message with the same one takes the place of an earlier one. */
  readonly tag: string;
  readonly severity: AlertSeverity;
  readonly hasEnded: boolean;
}

/** @param isRepetition whether the same message may have arrived before */
export function shortMessage(
  notified: Notified,
  { locale, brand, isRepetition }: { locale: Locale; brand: string; isRepetition: boolean },
): ShortMessage {
  const { place, sentence, path } = notificationText(notified, locale, brand);
  const { alert, outage, further, kind } = notified;
  return {
    title: place,
    body: isRepetition ? repeatedText(sentence, locale) : sentence,
    path,
    tag:
      alert !== null
        ? `alert-${alert.id}`
        : outage !== null
          ? `outage-${outage.id}`
          : further !== null
            ? `further-${notified.id}`
            : 'test',
    severity: alert?.severity ?? further?.severity ?? (outage !== null ? 'critical' : 'information'),
    hasEnded: kind === 'cleared' || kind === 'ended',
  };
}

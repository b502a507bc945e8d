import type { SettingWrite } from '@heliograph/client';
import type { TFunction } from 'i18next';

type Outcome = SettingWrite['outcome'];

/** How a write ended. @param isPending whether later readings may still show another outcome */
export function outcomeLabel(t: TFunction<'settings'>, outcome: Outcome, isPending: boolean): string {
  switch (outcome) {
    case 'ok':
      return t('log.outcome.ok');
    case 'altered':
      return t('log.outcome.altered');
    case 'rejected':
      return t('log.outcome.rejected');
    case 'not sent':
      return t('log.outcome.notSent');
    case 'unknown':
      return isPending ? t('log.outcome.pending') : t('log.outcome.unknown');
  }
}

/** How much an outcome should stand out. */
export const OUTCOME_TONES: Readonly<Record<Outcome, 'good' | 'bad' | 'unsure'>> = {
  ok: 'good',
  altered: 'unsure',
  rejected: 'bad',
  'not sent': 'bad',
  unknown: 'unsure',
};

/** The author of an entry: a device knows accounts by their number only. */
export function authorLabel(
  t: TFunction<'settings'>,
  { author, via }: Pick<SettingWrite, 'author' | 'via'>,
): string {
  if (via === 'mqtt') {
    const [, id, broker] = /^(?:user (\d+), by )?MQTT (\S+)$/.exec(author) ?? [];
    const way = broker === undefined ? t('log.author.mqtt') : `${t('log.author.mqtt')} (${broker})`;
    return id === undefined ? way : `${t('log.author.user', { id })} · ${way}`;
  }
  const [, id] = /^user (\d+)$/.exec(author) ?? [];
  if (id !== undefined)
    return via === 'lan' ? t('log.author.userHere', { id }) : t('log.author.user', { id });
  return author === 'local' ? t('log.author.local') : author;
}

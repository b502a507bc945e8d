import type { RecoverySession } from '@heliograph/contracts';
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useFormat } from '../../../../shared/format/use-format.ts';
import { STATE_LABELS } from '../../../sites/site/recovery/labels.ts';
import classes from '../../../support/conversation.module.css';
import { StatusBadge } from '../../../ui/status-badge.tsx';

/** A support recovery session among the messages of the ticket that it is about. */
export function SessionNote({ session }: { readonly session: RecoverySession }) {
  const { t } = useTranslation('recovery');
  const format = useFormat();
  const { site, state, reason, requested_by: requester, requested_at: at } = session;
  const { label, tone } = STATE_LABELS[state];
  return (
    <article className={classes.note}>
      <p className={classes.author}>
        {requester !== null && `${requester.name} · `}
        <time dateTime={at}>{format.dateTime(at)}</time>
      </p>
      <p className={classes.body}>{reason}</p>
      <p className={classes.author}>
        <Anchor component={Link} href={`/sites/${site.id}/support`} underline="always">
          {t('title')}
        </Anchor>{' '}
        <StatusBadge tone={tone}>{t(label)}</StatusBadge>
      </p>
    </article>
  );
}

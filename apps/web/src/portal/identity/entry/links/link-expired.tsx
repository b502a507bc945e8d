import { ApiError } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { fieldErrors } from '../../../../shared/errors/fields.ts';
import { usePortalSession } from '../../../session/session.ts';
import type { EntryLink } from './entry-link.ts';

interface LinkExpiredProps {
  readonly kind: Exclude<EntryLink['kind'], 'session' | 'second_factor'>;
  /** Goes on to sign in, which is on the same page. */
  readonly onLeave: () => void;
}

/** A link that is good no more, and what to do now. */
export function LinkExpired({ kind, onLeave }: LinkExpiredProps) {
  const { t } = useTranslation('entry');
  const { user } = usePortalSession();
  const advice = {
    confirm: t('linkOver.confirm'),
    email: t('linkOver.email'),
    reset: t('linkOver.reset'),
    set: t('linkOver.set'),
  } as const;
  return (
    <>
      <PageTitle text={t('linkOver.title')} focusOnMount />
      <Text>{advice[kind]}</Text>
      {kind === 'reset' && (
        <Button component={Link} href="/password">
          {t('linkOver.newLink')}
        </Button>
      )}
      {user === null ? (
        <Button onClick={onLeave} variant={kind === 'reset' ? 'default' : 'filled'}>
          {t('signIn.submit')}
        </Button>
      ) : (
        <Button component={Link} href="/sites" variant={kind === 'reset' ? 'default' : 'filled'}>
          {t('toSites')}
        </Button>
      )}
    </>
  );
}

/** Whether the secret of a link is good no more: it was used, has expired, or never was any. */
export function isLinkExpired(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  // A token of another shape is not even read.
  if (error.status === 400 || error.status === 401) return true;
  return error.status === 422 && Object.keys(fieldErrors(error)).length === 0;
}

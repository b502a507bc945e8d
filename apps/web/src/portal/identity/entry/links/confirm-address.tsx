import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useSubmit } from '../../../../shared/components/form/use-submit.ts';
import { Loading } from '../../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../../shared/components/title/page-title.tsx';
import { usePortalSession } from '../../../session/session.ts';
import { EntryError } from '../form/entry-error.tsx';
import { isLinkExpired, LinkExpired } from './link-expired.tsx';
import { useOneTimeAction } from './use-one-time-action.ts';

interface ConfirmAddressProps {
  readonly kind: 'confirm' | 'email';
  /** The address that the link is about; the link is not spent. */
  readonly check: () => Promise<string>;
  /** The effect of confirming, for the reader. */
  readonly explain: (email: string) => string;
  readonly confirm: () => Promise<unknown>;
  readonly onConfirmed: (email: string) => void;
  /** Replaces the page for a failure that is no fault of the link; undefined for any other. */
  readonly explainFailure: (error: unknown) => ReactNode | undefined;
  /** Goes on to sign in, which is on the same page. */
  readonly onLeave: () => void;
}

/**
 * Confirms an address with the link of its mail, on a click: mail servers open links, and run the scripts of the pages
 * that they lead to.
 */
export function ConfirmAddress({
  kind,
  check,
  explain,
  confirm,
  onConfirmed,
  explainFailure,
  onLeave,
}: ConfirmAddressProps) {
  const { t } = useTranslation('entry');
  const { t: shared } = useTranslation();
  const { user } = usePortalSession();
  const [email, setEmail] = useState<string>();
  const link = useOneTimeAction(async () => setEmail(await check()));
  const { submit, isPending, error } = useSubmit(confirm, { onDone: () => onConfirmed(email ?? '') });
  const explained = explainFailure(error);
  if (explained !== undefined) return explained;
  if (isLinkExpired(error) || isLinkExpired(link.error)) return <LinkExpired kind={kind} onLeave={onLeave} />;
  if (email === undefined && link.error === undefined) return <Loading />;
  return (
    <>
      <PageTitle text={t('wait.title')} focusOnMount />
      {email === undefined ? (
        <>
          <EntryError error={link.error} />
          <Button onClick={link.retry}>{shared('retry')}</Button>
        </>
      ) : (
        <>
          <Text style={{ overflowWrap: 'anywhere' }}>{explain(email)}</Text>
          <EntryError error={error} />
          <Group>
            <Button onClick={() => submit(undefined)} loading={isPending}>
              {t('confirm.submit')}
            </Button>
            <Button component={Link} href={user === null ? '/' : '/sites'} variant="default">
              {shared('cancel')}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

import { ApiError, createCloudClient } from '@heliograph/client';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { useSubmit } from '../../../shared/components/form/use-submit.ts';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { BarePage } from '../../frame/bare-page.tsx';
import { EntryError } from './form/entry-error.tsx';

/**
 * Ends the mails about alerts with the address of their header, on a click: mail servers open addresses, and run the scripts
 * of the pages that they lead to.
 */
export function Page() {
  const token = useLocationProperty(() => location.hash.slice(1));
  return (
    <BarePage>
      <Unsubscribe key={token} token={decoded(token)} />
    </BarePage>
  );
}

function Unsubscribe({ token }: { readonly token: string }) {
  const { t } = useTranslation('entry');
  const [isDone, setDone] = useState(false);
  const { submit, isPending, error } = useSubmit(() => unsubscribe(token), { onDone: () => setDone(true) });
  if (isDone) return <Outcome title={t('unsubscribe.title')} text={t('unsubscribe.done')} />;
  if (token === '' || isInvalid(error))
    return <Outcome title={t('linkOver.title')} text={t('unsubscribe.invalid')} />;
  return (
    <>
      <PageTitle text={t('unsubscribe.title')} focusOnMount />
      <Text>{t('unsubscribe.ask')}</Text>
      <EntryError error={error} />
      <Button onClick={() => submit(undefined)} loading={isPending}>
        {t('unsubscribe.submit')}
      </Button>
    </>
  );
}

function Outcome({ title, text }: { readonly title: string; readonly text: string }) {
  const { t } = useTranslation('entry');
  return (
    <>
      <PageTitle text={title} focusOnMount />
      <Text>{text}</Text>
      <Button component={Link} href="/user/notifications" variant="default">
        {t('unsubscribe.toSettings')}
      </Button>
    </>
  );
}

/** As a mail program does (RFC 8058): in no session, so that it does not matter who is signed in. */
function unsubscribe(token: string): Promise<undefined> {
  const type = 'application/x-www-form-urlencoded';
  const file = new Blob(['List-Unsubscribe=One-Click'], { type });
  return createCloudClient({ url: location.origin }).unsubscribeFromMails({ token, file });
}

/** A token of another shape is not even read. */
function isInvalid(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 404);
}

/** The fragment of an address that was cut off may be no text. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

import { ApiError } from '@heliograph/client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasUnsentInput } from '../../shared/browser/unsent-input.ts';
import { FormError } from '../../shared/components/form/form-error.tsx';
import { useSubmit } from '../../shared/components/form/use-submit.ts';
import { useFormat } from '../../shared/format/use-format.ts';
import { device } from '../session/device.ts';
import { sessionQuery, useDeviceSession } from '../session/session.ts';
import { supportQuery } from './support-query.ts';

/** How long before its expiry a token is renewed, in seconds. */
const AHEAD_S = 60;

/**
 * Leads a page that support opened to the cloud shortly before its token expires, and as soon as it is refused: the cloud
 * sends it back with another one while the session is open, and otherwise shows that it has ended. A page with input that is
 * not sent stays: another tab gets the token for both.
 *
 * @returns the address for that tab, while this page waits for it
 */
function useRenewedAccess(): string | undefined {
  const { data, error, dataUpdatedAt } = useQuery(sessionQuery);
  const hasUnsentInput = useHasUnsentInput();
  const expiresInS = data?.recovery?.expires_in;
  const isRefused = error instanceof ApiError && error.status === 401;
  /** Of the token that has to be renewed: when it became known. */
  const [dueOf, setDueOf] = useState<number>();
  const isDue = expiresInS !== undefined && (isRefused || dueOf === dataUpdatedAt);
  useEffect(() => {
    if (expiresInS === undefined || isDue) return;
    // A token that ends with its session is as short as what is left of that, and is used to its end.
    const delayS = expiresInS > 2 * AHEAD_S ? expiresInS - AHEAD_S : Math.max(expiresInS, 0) + 1;
    const timer = setTimeout(() => setDueOf(dataUpdatedAt), dataUpdatedAt + delayS * 1000 - Date.now());
    return () => clearTimeout(timer);
  }, [expiresInS, isDue, dataUpdatedAt]);
  const leaves = isDue && !hasUnsentInput;
  useEffect(() => {
    if (leaves) location.replace(renewalUrl());
  }, [leaves]);
  return isDue && hasUnsentInput ? renewalUrl() : undefined;
}

function renewalUrl(): string {
  const { pathname, search, hash } = location;
  return `/renew?${new URLSearchParams({ return_to: pathname + search + hash })}`;
}

/** To be awaited before the banner is shown. */
export const loadTexts = (): Promise<unknown> => i18next.loadNamespaces('configuration');

/**
 * The people of support who have access to the device now, and a button that ends that also without the cloud. For support
 * itself it keeps the access that the page has.
 */
export function SupportBanner() {
  const { t } = useTranslation('configuration');
  const { dateTime } = useFormat();
  const { may_configure: mayConfigure, via } = useDeviceSession();
  const { data } = useQuery(supportQuery);
  const renewalUrl = useRenewedAccess();
  const banners = data?.sessions.map(({ id, access, reason, firm, people, expires_at: until }) => (
    <Alert key={id} color="orange" variant="light" mb="md">
      <Stack gap="xs" align="flex-start">
        <Text fw={650}>{t('support.banner', { firm: firm ?? t('support.operator') })}</Text>
        {reason !== null && <Text style={{ overflowWrap: 'anywhere' }}>{reason}</Text>}
        <Text>
          {[
            t(`support.accesses.${access}`),
            t('support.until', { time: dateTime(until) }),
            ...(people.length > 0 ? [t('support.usedBy', { names: people.join(', ') })] : []),
          ].join(' · ')}
        </Text>
        {mayConfigure && via === 'lan' && <EndButton id={id} />}
      </Stack>
    </Alert>
  ));
  return (
    <>
      {banners}
      {renewalUrl !== undefined && <RenewalAlert url={renewalUrl} />}
    </>
  );
}

/** The page looks for the session again when its reader returns from the other tab. */
function RenewalAlert({ url }: { readonly url: string }) {
  const { t } = useTranslation('configuration');
  return (
    <Alert color="orange" variant="light" mb="md">
      <Stack gap="xs" align="flex-start">
        <Text>{t('support.renewText')}</Text>
        <Button component="a" href={url} target="_blank">
          {t('support.renew')}
        </Button>
      </Stack>
    </Alert>
  );
}

function EndButton({ id }: { readonly id: number }) {
  const { t } = useTranslation('configuration');
  const queries = useQueryClient();
  const { submit, isPending, error } = useSubmit(() => device.endSupportSession(id), {
    onDone: () => void queries.invalidateQueries(supportQuery),
  });
  return (
    <>
      <FormError error={error} />
      <Button variant="default" loading={isPending} onClick={() => submit(undefined)}>
        {t('support.end')}
      </Button>
    </>
  );
}

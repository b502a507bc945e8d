import type { PendingSignIn } from '@heliograph/client';
import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface PasskeyElsewhereProps extends Pick<PendingSignIn, 'passkey' | 'passkey_hosts'> {
  /** The part of the address behind `#` that continues the sign-in at the other host. */
  readonly hash?: string;
}

/** The hosts where the account's passkeys work, on a page where none of them does. */
export function PasskeyElsewhere({ passkey, passkey_hosts: hosts, hash = '' }: PasskeyElsewhereProps) {
  const { t } = useTranslation('security');
  if (passkey !== null) return null;
  return hosts.map((host) => (
    <Text key={host}>
      {t('passkeyElsewhere', { host })}{' '}
      <Anchor href={signInPageAt(host, hash)} underline="always">
        {t('signInElsewhere', { host })}
      </Anchor>
    </Text>
  ));
}

/** @param host one of the service, reached by the scheme and port of this page */
function signInPageAt(host: string, hash: string): string {
  const url = new URL('/sign_in', location.href);
  url.hostname = host;
  url.hash = hash;
  return url.href;
}

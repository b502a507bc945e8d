import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { signOut, useDeviceSession } from '../session/session.ts';
import classes from './frame.module.css';
import { Preferences } from './preferences.tsx';

/** The banners about support and about a store that cannot be used, which are loaded with their texts once the page is there. */
export async function loadSupport() {
  const [{ SupportBanner, loadTexts }, { StoreNotice }] = await Promise.all([
    import('../support/support-banner.tsx'),
    import('./store-notice.tsx'),
  ]);
  await loadTexts();
  return function Banners() {
    return (
      <>
        <StoreNotice />
        <SupportBanner />
      </>
    );
  };
}

/** At the end of every page: how it looks, and the way out. Through the proxy it is the account that is signed out. */
export function Footer() {
  const { via } = useDeviceSession();
  return (
    <div className={classes.footer}>
      <Preferences />
      {via === 'lan' && (
        <div className={classes.end}>
          <SignOutButton />
        </div>
      )}
    </div>
  );
}

function SignOutButton() {
  const { t } = useTranslation('device');
  const { mutate, isPending, isError } = useMutation({ mutationFn: signOut });
  return (
    <Button variant="subtle" loading={isPending} onClick={() => mutate()}>
      {isError ? t('session.signOutAgain') : t('session.signOut')}
    </Button>
  );
}

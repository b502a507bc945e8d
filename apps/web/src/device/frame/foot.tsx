import { useDeviceSession } from '../session/session.ts';
import { SignOutButton } from '../session/sign-out-button.tsx';
import classes from './frame.module.css';
import { Preferences } from './preferences.tsx';

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

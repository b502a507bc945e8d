import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { signInPath } from '../../shared/routing/own-path.ts';
import { usePortalSession } from '../session/session.ts';
import classes from './frame.module.css';

/** The way to one's own account, or to sign in. */
export function UserMenu() {
  const { t } = useTranslation('portal');
  const { user } = usePortalSession();
  if (user === null) {
    return (
      <Link className={classes.entry} href={signInPath()}>
        {t('frame.signIn')}
      </Link>
    );
  }
  const name = `${user.first_name} ${user.last_name}`.trim() || user.email;
  return (
    <Link className={classes.user} href="/user" title={user.email}>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className={classes.userName}>{name}</span>
    </Link>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

import { Link } from 'wouter';
import { Sun } from '../../shared/components/icons/sun.tsx';
import { usePortalSession } from '../session/session.ts';
import classes from './frame.module.css';

/** The logo and name of whose pages these are; it leads to the sites. */
export function BrandMark() {
  const { home, user } = usePortalSession();
  return (
    <Link className={classes.brand} href={user === null ? '/' : '/sites'}>
      {home?.logo ? <img className={classes.logo} src={home.logo} alt="" /> : <Sun />}
      <span className={classes.name}>{home?.name ?? 'Heliograph'}</span>
    </Link>
  );
}

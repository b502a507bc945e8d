import { useContext } from 'react';
import { Link } from 'wouter';
import { ProductName } from '../../shared/browser/product-name.ts';
import { Sun } from '../../shared/components/icons/sun.tsx';
import { logoPath } from '../brand/logo-path.ts';
import { usePortalSession } from '../session/session.ts';
import classes from './frame.module.css';

/** The logo and name of whose pages these are; it leads to the sites. */
export function BrandMark() {
  const { home, user } = usePortalSession();
  const name = useContext(ProductName);
  const logo = home && logoPath(home);
  return (
    <Link className={classes.brand} href={user === null ? '/' : '/sites'}>
      {logo === null ? <Sun /> : <img className={classes.logo} src={logo} alt="" />}
      <span className={classes.name}>{name}</span>
    </Link>
  );
}

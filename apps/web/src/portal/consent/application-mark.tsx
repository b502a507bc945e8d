import type { ConsentRequest } from '@heliograph/contracts';
import { logoPath } from '../brand/logo-path.ts';
import { BrandMark } from '../frame/brand-mark.tsx';
import classes from './consent.module.css';

/** The logo of whose application it is; the service's own for a program that nobody knows. */
export function ApplicationMark({ request: { organization } }: { readonly request: ConsentRequest }) {
  if (organization === null) return <BrandMark />;
  const logo = logoPath(organization);
  return (
    <div className={classes.brand}>
      {logo !== null && <img className={classes.logo} src={logo} alt="" />}
      <span>{organization.name}</span>
    </div>
  );
}

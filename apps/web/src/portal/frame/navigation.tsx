import { useTranslation } from 'react-i18next';
import { Link, useRoute } from 'wouter';
import { usePortalSession } from '../session/session.ts';
import classes from './frame.module.css';

export function Navigation() {
  const { t } = useTranslation('portal');
  const { organizations, is_operator: isOperator } = usePortalSession();
  const [only] = organizations;
  const organizationPath =
    organizations.length === 1 && only !== undefined ? `/organizations/${only.id}` : '/organizations';
  return (
    <nav className={classes.navigation} aria-label={t('frame.navigation')}>
      <Entry href="/sites" below="/sites/*?" text={t('frame.sites')} />
      {organizations.length > 0 && (
        <Entry
          href={organizationPath}
          below="/organizations/*?"
          text={organizations.length === 1 ? t('frame.organization') : t('frame.organizations')}
        />
      )}
      {isOperator && <Entry href="/operator" below="/operator/*?" text={t('frame.operator')} />}
    </nav>
  );
}

function Entry({ href, below, text }: { href: string; below: string; text: string }) {
  const [isHere] = useRoute(below);
  return (
    <Link className={classes.entry} href={href} aria-current={isHere ? 'page' : undefined}>
      {text}
    </Link>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useRoute } from 'wouter';
import { PageFrame } from '../../shared/frame/page-frame.tsx';
import { signInPath } from '../../shared/routing/own-path.ts';
import { usePortalSession } from '../session/session.ts';
import { BrandMark } from './brand-mark.tsx';
import { FooterPreferences } from './footer-preferences.tsx';
import classes from './frame.module.css';

/** The frame of a page: brand, navigation, account. */
export function Frame({ children }: { children: ReactNode }) {
  const { user } = usePortalSession();
  const header = (
    <>
      <BrandMark />
      {user !== null && <Navigation />}
      <div className={classes.end}>
        <UserMenu />
      </div>
    </>
  );
  return (
    <PageFrame header={header} footer={<FooterPreferences />}>
      {children}
    </PageFrame>
  );
}

function Navigation() {
  const { t } = useTranslation('portal');
  const { organizations, is_operator: isOperator, has_shop: hasShop } = usePortalSession();
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
      {hasShop && <Entry href="/shop" below="/shop/*?" text={t('frame.shop')} />}
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

/** The way to one's own account, or to sign in. */
function UserMenu() {
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
  const names = name.split(/\s+/);
  return [names[0], names.length > 1 ? names.at(-1) : '']
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

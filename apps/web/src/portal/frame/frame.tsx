import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useRoute } from 'wouter';
import { personName } from '../../shared/format/person-name.ts';
import navigation from '../../shared/frame/navigation.module.css';
import { NavigationEntry } from '../../shared/frame/navigation-entry.tsx';
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

/** Line drawings of the navigation; each has a label beside it. */
const ROOF = <path d="M4 11.5 12 5l8 6.5M6.5 10v9h11v-9" />;

const BELL = <path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4" />;

const PEOPLE = (
  <path d="M9 11a3 3 0 1 0 0-6a3 3 0 0 0 0 6M3.5 19a5.5 5.5 0 0 1 11 0M16 5.3a3 3 0 0 1 0 5.4M17 13.8a5.5 5.5 0 0 1 3.5 5.2" />
);

const BASKET = <path d="M4 10h16l-1.5 9h-13zM8 10l3-5M16 10l-3-5" />;

const SERVER = <path d="M5 5h14v6H5zM5 13h14v6H5zM8 8h.01M8 16h.01" />;

function Navigation() {
  const { t } = useTranslation('portal');
  const { organizations, is_operator: isOperator, has_shop: hasShop } = usePortalSession();
  const [only] = organizations;
  const organizationPath =
    organizations.length === 1 && only !== undefined ? `/organizations/${only.id}` : '/organizations';
  return (
    <nav className={navigation.navigation} aria-label={t('frame.navigation')}>
      <Entry icon={ROOF} href="/sites" below="/sites/*?" text={t('frame.sites')} />
      <Entry icon={BELL} href="/alerts" below="/alerts" text={t('frame.alerts')} />
      {organizations.length > 0 && (
        <Entry
          icon={PEOPLE}
          href={organizationPath}
          below="/organizations/*?"
          text={organizations.length === 1 ? t('frame.organization') : t('frame.organizations')}
        />
      )}
      {hasShop && <Entry icon={BASKET} href="/shop" below="/shop/*?" text={t('frame.shop')} />}
      {isOperator && <Entry icon={SERVER} href="/operator" below="/operator/*?" text={t('frame.operator')} />}
    </nav>
  );
}

interface EntryProps {
  readonly icon: ReactNode;
  readonly href: string;
  readonly below: string;
  readonly text: string;
}

function Entry({ below, ...entry }: EntryProps) {
  const [isHere] = useRoute(below);
  return <NavigationEntry {...entry} isHere={isHere} />;
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
  const name = personName(user, user.locale);
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

import type { ConsentRequest, Scope } from '@heliograph/contracts';
import { Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { SwitchAccountButton } from '../identity/entry/to-site/switch-account-button.tsx';
import classes from './consent.module.css';
import { redirectTarget } from './redirect-target.ts';

interface AccountProps {
  readonly user: NonNullable<ConsentRequest['user']>;
  readonly onSignedOut: () => void;
}

/** The account that is signed in, and a button to switch. */
export function Account({ user: { name, email }, onSignedOut }: AccountProps) {
  const { t } = useTranslation('consent');
  return (
    <div className={classes.account}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Trans
          t={t}
          i18nKey="account"
          values={{ who: name === email ? email : `${name} (${email})` }}
          components={{ strong: <strong /> }}
        />
      </Text>
      <SwitchAccountButton variant="subtle" onSignedOut={onSignedOut} />
    </div>
  );
}

/** The program, as far as it is known, and the address that an answer redirects to. */
export function Introduction({ request }: { readonly request: ConsentRequest }) {
  const { t } = useTranslation('consent');
  const { application, organization } = request;
  const place = redirectTarget(application.redirect_host);
  const whereTo = {
    computer: () => t('place.computer'),
    app: () => t('place.app', { scheme: application.redirect_host }),
    host: () => t('place.host', { host: application.redirect_host }),
  } as const;
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      {organization !== null && t('who.application', { organization: organization.name })}
      {organization === null &&
        (application.published_at === null
          ? t('who.unknown')
          : t('who.published', { host: application.published_at }))}{' '}
      {whereTo[place.kind]()} {organization === null && t('who.careful')}
    </Text>
  );
}

export function ScopeList({ scopes }: Pick<ConsentRequest, 'scopes'>) {
  const { t } = useTranslation('consent');
  const labels: Partial<Record<Scope, string>> = {
    openid: t('scopes.openid'),
    'sites:read_single': t('scopes.readSingle'),
    'sites:read_all': t('scopes.readAll'),
    'users:read_all': t('scopes.users'),
    'orders:read_all': t('scopes.orders'),
    'products:read_all': t('scopes.products'),
  };
  return (
    <section aria-labelledby="scopes-title">
      <h2 className={classes.heading} id="scopes-title">
        {t('scopes.title')}
      </h2>
      <ul className={classes.scopes}>
        {scopes.map(({ name, text }) => (
          <li key={name}>{labels[name] ?? text}</li>
        ))}
      </ul>
    </section>
  );
}

import type { ConsentRequest, Scope } from '@heliograph/contracts';
import { useTranslation } from 'react-i18next';
import classes from './consent.module.css';

/** What is asked for, in words. */
export function ScopeList({ scopes }: Pick<ConsentRequest, 'scopes'>) {
  const { t } = useTranslation('consent');
  const words: Partial<Record<Scope, string>> = {
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
          <li key={name}>{words[name] ?? text}</li>
        ))}
      </ul>
    </section>
  );
}

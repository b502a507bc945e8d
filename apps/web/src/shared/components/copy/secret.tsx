import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import classes from './secret.module.css';

interface SecretProps {
  /** The kind of secret: "API token". */
  readonly label: string;
  readonly secret: string;
}

/** A secret that was just created and cannot be shown again. */
export function OnceShownSecret(props: SecretProps) {
  const { t } = useTranslation();
  return (
    <Secret {...props}>
      <p className={classes.note}>{t('copy.shownOnce')}</p>
    </Secret>
  );
}

/** A secret to be copied. */
export function Secret({ label, secret, children }: SecretProps & { readonly children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className={classes.secret} aria-label={label}>
      <p className={classes.label}>{label}</p>
      <div className={classes.line}>
        <code className={classes.text}>{secret}</code>
        <CopyButton text={secret} label={t('copy.copy')} />
      </div>
      {children}
    </section>
  );
}

import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import classes from './secret.module.css';

interface SecretProps {
  /** The kind of secret: "API token". */
  readonly label: string;
  readonly secret: string;
}

/** A secret that was just created and cannot be shown again. */
export function OnceShownSecret({ label, secret }: SecretProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.secret} aria-label={label}>
      <p className={classes.label}>{label}</p>
      <div className={classes.line}>
        <code className={classes.text}>{secret}</code>
        <CopyButton text={secret} label={t('copy.copy')} />
      </div>
      <p className={classes.note}>{t('copy.shownOnce')}</p>
    </section>
  );
}

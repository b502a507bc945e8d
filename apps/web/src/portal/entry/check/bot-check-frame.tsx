import { useTranslation } from 'react-i18next';
import classes from './bot-check-frame.module.css';
import type { BotCheck } from './use-bot-check.ts';

interface BotCheckFrameProps {
  readonly check: BotCheck;
  readonly error: string | undefined;
}

/** The check that a visitor is no robot, which needs nothing from them but a moment. */
export function BotCheckFrame({ check, error }: BotCheckFrameProps) {
  const { t, i18n } = useTranslation('entry');
  const query = new URLSearchParams({ language: i18n.language });
  return (
    <div>
      <iframe
        key={check.round}
        ref={check.frame}
        className={classes.frame}
        title={t('check.title')}
        src={`/register/verify?${query}`}
      />
      {error !== undefined && (
        <p className={classes.error} role="alert">
          {t('check.failed')}
        </p>
      )}
    </div>
  );
}

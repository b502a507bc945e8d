import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../errors/error-message.ts';
import classes from './failure.module.css';

interface FailureProps {
  readonly error: unknown;
  /** Left out where trying again is of no use. */
  readonly onRetry?: () => void;
}

/**
 * Shows an error message, and offers a retry. It is loaded before anything else, since nothing can be loaded when the
 * network is the failure, and so it is made of plain elements.
 */
export function Failure({ error, onRetry }: FailureProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.failure} role="alert">
      <p className={classes.message}>{errorMessage(error, t)}</p>
      {onRetry && (
        <button type="button" className={classes.retry} onClick={onRetry}>
          {t('retry')}
        </button>
      )}
    </div>
  );
}

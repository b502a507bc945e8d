import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import classes from './setting-control.module.css';
import type { WriteState } from './write-state.ts';

interface WriteNoteProps {
  readonly write: WriteState;
  /** What the hardware reports now, with its unit. */
  readonly now: string;
  /** Whether that is no longer what it was changed to. */
  readonly isSuperseded: boolean;
  /** Where the log of writes is. */
  readonly logPath: string | undefined;
}

/** How the last change of a setting went, in words. */
export function WriteNote({ write, now, isSuperseded, logPath }: WriteNoteProps) {
  const { t } = useTranslation('settings');
  switch (write.state) {
    case 'sending':
      return (
        <p className={`${classes.note} ${classes.sending}`}>
          <Loader size="xs" />
          {t('write.sending')}
        </p>
      );
    case 'done':
      return isSuperseded ? (
        <p className={classes.note}>{t('write.overtaken', { value: now })}</p>
      ) : (
        <p className={`${classes.note} ${classes.done}`}>{t('write.done', { value: now })}</p>
      );
    case 'refused':
      return <Failed text={t('write.refused')} more={write.message} />;
    case 'notAllowed':
      return <Failed text={t('write.notAllowed')} />;
    case 'tooMany':
      return <Failed text={t('write.tooMany')} />;
    case 'offline':
      return <Failed text={t('write.offline')} />;
    case 'unknown':
      return (
        <div className={`${classes.note} ${classes.failed}`}>
          <p>{t('write.unknown')}</p>
          {logPath !== undefined && <Link href={logPath}>{t('write.toLog')}</Link>}
        </div>
      );
  }
}

function Failed({ text, more }: { readonly text: string; readonly more?: string }) {
  return (
    <div className={`${classes.note} ${classes.failed}`}>
      <p>{text}</p>
      {more !== undefined && <p className={classes.answer}>{more}</p>}
    </div>
  );
}

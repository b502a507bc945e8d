import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './page-frame.module.css';
import { usePageChange } from './use-arrival.ts';

const CONTENT = 'content';

interface PageFrameProps {
  /** Whose pages these are, where one can go, who is signed in. */
  readonly header: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** What every page stands in, with a way past the header for who walks by keyboard. */
export function PageFrame({ header, footer, children }: PageFrameProps) {
  const { t } = useTranslation();
  const arrived = usePageChange(CONTENT);
  return (
    <>
      <a className={classes.skip} href={`#${CONTENT}`}>
        {t('skipToContent')}
      </a>
      <header className={classes.header}>
        <div className={classes.bar}>{header}</div>
      </header>
      <main className={classes.content} id={CONTENT} tabIndex={-1}>
        {children}
      </main>
      <VisuallyHidden role="status">{arrived}</VisuallyHidden>
      {footer !== undefined && <footer className={classes.footer}>{footer}</footer>}
    </>
  );
}

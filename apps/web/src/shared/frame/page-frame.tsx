import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './page-frame.module.css';

const CONTENT = 'content';

interface PageFrameProps {
  /** The application's name, its navigation, the account. */
  readonly header: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page, with a link for keyboards that skips the header. */
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

/**
 * Does for a new page of the same document what browsers do for a new document: scrolls to its top, and announces its
 * title. After the back button browsers restore the scroll position.
 *
 * @param content the id of the element that holds the pages: it gets the focus where the focused element went away
 * with the page before
 * @returns the title of the new page, for a live region; empty on the first one
 */
function usePageChange(content: string): string {
  const [arrived, setArrived] = useState('');
  useEffect(() => {
    let here = location.pathname;
    let last = { path: here, title: document.title };
    const toTop = (): void => {
      if (location.pathname !== here) window.scrollTo(0, 0);
      here = location.pathname;
    };
    const goneBack = (): void => {
      here = location.pathname;
    };
    // A page sets its title when it is there, however long it took to load.
    const titles = new MutationObserver(() => {
      const now = { path: location.pathname, title: document.title };
      if (now.title === last.title) return;
      const isAnother = now.path !== last.path;
      last = now;
      if (!isAnother) return;
      setArrived(now.title);
      if (document.activeElement === document.body) {
        document.getElementById(content)?.focus({ preventScroll: true });
      }
    });
    titles.observe(document.head, { subtree: true, childList: true });
    // The event of wouter's navigation.
    window.addEventListener('pushState', toTop);
    window.addEventListener('popstate', goneBack);
    return () => {
      titles.disconnect();
      window.removeEventListener('pushState', toTop);
      window.removeEventListener('popstate', goneBack);
    };
  }, [content]);
  return arrived;
}

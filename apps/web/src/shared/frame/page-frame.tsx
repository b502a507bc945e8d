import { VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './page-frame.module.css';

/**
 * Does what browsers do when another document comes, for another page of the same one: shows it from its top, and tells
 * whoever hears pages. Going back stays as it is, where browsers know how far somebody had scrolled.
 *
 * @param content the id of what holds the pages: it gets the focus where that went away with the page before
 * @returns the title of the page that has come, for a live region; empty on the first one
 */
function usePageChange(content: string): string {
  const [arrived, setArrived] = useState('');
  useEffect(() => {
    let here = location.pathname;
    let told = { path: here, title: document.title };
    const toTop = (): void => {
      if (location.pathname !== here) window.scrollTo(0, 0);
      here = location.pathname;
    };
    const goneBack = (): void => {
      here = location.pathname;
    };
    // A page says its title when it is there, however long it took to load.
    const titles = new MutationObserver(() => {
      const now = { path: location.pathname, title: document.title };
      if (now.title === told.title) return;
      const isAnother = now.path !== told.path;
      told = now;
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

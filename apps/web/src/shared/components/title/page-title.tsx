import { useEffect, useRef } from 'react';
import classes from './page-title.module.css';

interface PageTitleProps {
  readonly text: string;
  /** The name of the application, behind the title in the browser's tab. */
  readonly suffix?: string;
  /** For a page that replaces another one at the same address: screen readers announce the focused heading. */
  readonly focusOnMount?: boolean;
}

/** The heading of a page, which names its tab as well. */
export function PageTitle({ text, suffix = 'Heliograph', focusOnMount = false }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text} · ${suffix}`;
  }, [text, suffix]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another page
  useEffect(() => {
    if (focusOnMount) heading.current?.focus();
  }, [focusOnMount, text]);
  return (
    <h1 ref={heading} className={classes.title} {...(focusOnMount && { tabIndex: -1 })}>
      {text}
    </h1>
  );
}

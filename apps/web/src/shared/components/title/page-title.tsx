import { useContext, useEffect, useRef } from 'react';
import { ProductName } from '../../browser/product-name.ts';
import classes from './page-title.module.css';

interface PageTitleProps {
  readonly text: string;
  /** The part of the page that shows, behind the title in the browser's tab. */
  readonly part?: string | undefined;
  /** For a page that replaces another one at the same address: screen readers announce the focused heading. */
  readonly focusOnMount?: boolean;
}

/** The heading of a page, which names its tab as well. */
export function PageTitle({ text, part, focusOnMount = false }: PageTitleProps) {
  const product = useContext(ProductName);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [text, ...(part === undefined ? [] : [part]), product].join(' · ');
  }, [text, part, product]);
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

import { useLayoutEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import classes from './tab-links.module.css';

export interface TabLink {
  readonly href: string;
  readonly label: string;
}

interface TabLinksProps {
  /** The subject of the tabs. */
  readonly label: string;
  readonly links: readonly TabLink[];
}

/** The parts of a page, each with an address of its own. */
export function TabLinks({ label, links }: TabLinksProps) {
  const [location] = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On a narrow page the row may be longer than the page.
  useLayoutEffect(() => {
    const row = nav.current;
    const current = row?.querySelector<HTMLElement>(`[href="${CSS.escape(location)}"]`);
    if (row === null || current === null || current === undefined) return;
    const middle = current.offsetLeft + current.offsetWidth / 2 - row.offsetLeft;
    row.scrollTo({ left: middle - row.clientWidth / 2 });
  }, [location]);
  return (
    <nav ref={nav} className={classes.tabs} aria-label={label}>
      {links.map(({ href, label: text }) => (
        <Link
          key={href}
          className={classes.tab}
          href={href}
          aria-current={location === href ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}

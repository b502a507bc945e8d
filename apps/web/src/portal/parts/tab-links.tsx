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
  return (
    <nav className={classes.tabs} aria-label={label}>
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

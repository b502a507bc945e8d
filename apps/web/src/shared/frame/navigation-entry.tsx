import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './navigation.module.css';

interface NavigationEntryProps {
  /** The inside of an SVG of 24 by 24. */
  readonly icon: ReactNode;
  readonly text: string;
  readonly href: string;
  readonly isHere: boolean;
}

/** A link of the navigation, which stands at the head of wide pages and at the foot of narrow ones. */
export function NavigationEntry({ icon, text, href, isHere }: NavigationEntryProps) {
  return (
    <Link className={classes.entry} href={href} aria-current={isHere ? 'page' : undefined}>
      <NavigationIcon>{icon}</NavigationIcon>
      <span>{text}</span>
    </Link>
  );
}

export function NavigationIcon({ children }: { children: ReactNode }) {
  return (
    <svg
      width="22"
      height="22"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

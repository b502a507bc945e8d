import type { ReactNode } from 'react';
import classes from './status-badge.module.css';

interface StatusBadgeProps {
  /** How it is; the words say so, too. */
  readonly tone?: 'neutral' | 'good' | 'warning' | 'danger';
  readonly children: ReactNode;
}

/** A word or two on the state of something, beside its name. */
export function StatusBadge({ tone = 'neutral', children }: StatusBadgeProps) {
  return <span className={`${classes.mark} ${classes[tone]}`}>{children}</span>;
}

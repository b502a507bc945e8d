import type { ReactNode } from 'react';
import classes from './mark.module.css';

interface MarkProps {
  /** How it is; the words say so, too. */
  readonly tone?: 'neutral' | 'good' | 'warning' | 'danger';
  readonly children: ReactNode;
}

/** A word or two on the state of something, beside its name. */
export function Mark({ tone = 'neutral', children }: MarkProps) {
  return <span className={`${classes.mark} ${classes[tone]}`}>{children}</span>;
}

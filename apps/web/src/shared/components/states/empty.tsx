import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  /** Why there is nothing, or what to do so that there is. */
  readonly children?: ReactNode;
}

/** There is nothing here, and that is no fault. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.more}>{children}</div>}
    </div>
  );
}

import type { ReactNode } from 'react';
import classes from './links.module.css';

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** A line of a list of facts, which is a `dl`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

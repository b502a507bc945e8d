import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
  /** Whether the value, such as an address, needs a line for itself. */
  readonly isLong?: boolean;
}

/** Named facts about one subject. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value, isLong = false }) => (
        <div key={name} className={classes.fact} data-long={isLong}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

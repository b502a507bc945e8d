import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Named facts about one subject. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

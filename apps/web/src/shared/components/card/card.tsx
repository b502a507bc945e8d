import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  readonly title: string;
  /** An action for the whole card, beside its heading. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Card({ title, action, children }: CardProps) {
  const heading = useId();
  return (
    <section className={classes.card} aria-labelledby={heading}>
      <div className={classes.head}>
        <h2 className={classes.title} id={heading}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

import type { ReactNode } from 'react';
import classes from './rows.module.css';

interface RowsProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** Things of one kind, one below the other. */
export function Rows({ label, children }: RowsProps) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari forgets that a list without bullets is one
    <ul className={classes.rows} role="list" aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  readonly title: ReactNode;
  /** Short facts about it, in a line that wraps. Those that are null or false are left out. */
  readonly facts?: readonly (ReactNode | false)[];
  readonly actions?: ReactNode;
  /** Details below the facts. */
  readonly children?: ReactNode;
}

export function Row({ title, facts = [], actions, children }: RowProps) {
  const shown = facts.filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '');
  return (
    <li className={classes.row}>
      <div className={classes.body}>
        <div className={classes.title}>{title}</div>
        {shown.length > 0 && (
          <ul className={classes.facts}>
            {shown.map((fact, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: facts have no identity but their place
              <li key={at}>{fact}</li>
            ))}
          </ul>
        )}
        {children}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}

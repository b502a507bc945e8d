import type { ReactNode } from 'react';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import classes from './catalogue.module.css';

interface SpecimenProps {
  /** Which state of the component it is. */
  readonly state: string;
  readonly children: ReactNode;
}

/** One component in one state. */
export function Specimen({ state, children }: SpecimenProps) {
  return (
    <div className={classes.specimen}>
      <p className={classes.state}>{state}</p>
      <ErrorBoundary>{children}</ErrorBoundary>
    </div>
  );
}

/** Specimens beside each other, as far as there is room. */
export function Specimens({
  children,
  isWide = false,
}: {
  readonly children: ReactNode;
  readonly isWide?: boolean;
}) {
  return (
    <div className={classes.specimens} data-wide={isWide || undefined}>
      {children}
    </div>
  );
}

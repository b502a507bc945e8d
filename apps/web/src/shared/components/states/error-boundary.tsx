import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { ChunkBroken, ChunkMissing } from '../../browser/chunk-errors.ts';
import { reloadIfReachable } from '../../browser/reload-after-update.ts';
import { Failure } from './failure.tsx';

interface BoundaryProps {
  readonly onReset: () => void;
  readonly children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (error instanceof ChunkMissing)
      return <Failure error={error.cause} onRetry={() => void reloadIfReachable()} />;
    // A module that threw throws the same again, until the page is loaded again.
    if (error instanceof ChunkBroken)
      return <Failure error={error} onRetry={() => void reloadIfReachable()} />;
    const retry = (): void => {
      this.props.onReset();
      this.setState({ error: undefined });
    };
    return <Failure error={error} onRetry={retry} />;
  }
}

/** Keeps what fails below it to its own place on the page. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => <Boundary onReset={reset}>{children}</Boundary>}
    </QueryErrorResetBoundary>
  );
}

import { type ReactNode, useLayoutEffect } from 'react';
import { usePortalSession } from '../session/session.ts';
import { brandVariables } from './brand-variables.ts';

/** Gives the pages the colours of the organization whose pages they are. */
export function Brand({ children }: { children: ReactNode }) {
  const { home } = usePortalSession();
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const variables: [string, string][] = home === null ? [] : brandVariables(home);
    for (const [name, value] of variables) style.setProperty(name, value);
    return () => {
      for (const [name] of variables) style.removeProperty(name);
    };
  }, [home]);
  return children;
}

import type { Organization } from '@heliograph/client';
import { type ReactNode, useLayoutEffect } from 'react';
import { usePortalSession } from '../session/session.ts';
import { brandVariables } from './brand-variables.ts';

/** Applies the colours of the portal's organization. */
export function Brand({ children }: { children: ReactNode }) {
  useBrandColors(usePortalSession().home);
  return children;
}

/** Applies the colours of an organization while mounted. */
export function useBrandColors(organization: Organization | null): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const variables: [string, string][] = organization === null ? [] : brandVariables(organization);
    const before = variables.map(([name]) => [name, style.getPropertyValue(name)] as const);
    for (const [name, value] of variables) style.setProperty(name, value);
    return () => {
      for (const [name, value] of before) style.setProperty(name, value);
    };
  }, [organization]);
}

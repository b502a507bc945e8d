import type { Organization } from '@heliograph/client';
import { type ReactNode, useLayoutEffect } from 'react';
import { usePortalSession } from '../session/session.ts';
import { brandVariables } from './brand-variables.ts';

/** Gives the pages the colours of the organization whose pages they are. */
export function Brand({ children }: { children: ReactNode }) {
  useBrandColors(usePortalSession().home);
  return children;
}

/** Gives the pages the colours of an organization, for as long as they are shown for it. */
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

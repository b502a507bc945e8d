import type { Organization } from '@heliograph/client';
import { useLayoutEffect } from 'react';
import { brandVariables } from './brand-variables.ts';

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

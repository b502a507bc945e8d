import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { type TabLink, TabLinks } from './tab-links.tsx';

interface TabbedPageProps {
  readonly title: string;
  /** The part that shows, which the browser's tab names too. */
  readonly part: string;
  readonly links: readonly TabLink[];
  readonly children: ReactNode;
}

/** A page of several parts. */
export function TabbedPage({ title, part, links, children }: TabbedPageProps) {
  return (
    <Stack gap="lg">
      <Stack gap="sm">
        <PageTitle text={title} part={part} />
        <TabLinks label={title} links={links} />
      </Stack>
      {children}
    </Stack>
  );
}

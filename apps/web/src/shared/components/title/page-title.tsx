import { Title } from '@mantine/core';
import { useEffect } from 'react';

interface PageTitleProps {
  readonly text: string;
  /** Whose pages these are, behind the title in the browser's tab. */
  readonly suffix?: string;
}

/** The heading of a page, which names its tab as well. */
export function PageTitle({ text, suffix = 'Heliograph' }: PageTitleProps) {
  useEffect(() => {
    document.title = `${text} · ${suffix}`;
  }, [text, suffix]);
  return (
    <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Title>
  );
}

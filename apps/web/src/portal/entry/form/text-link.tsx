import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface TextLinkProps {
  readonly href: string;
  readonly children?: ReactNode;
}

/** A link to another page of these, in the middle of a text. */
export function TextLink({ href, children }: TextLinkProps) {
  return (
    <Anchor component={Link} href={href} underline="always">
      {children}
    </Anchor>
  );
}

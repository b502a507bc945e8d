import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface TextLinkProps {
  readonly href: string;
  /** The state of the history for the page that the link leads to. */
  readonly state?: object;
  readonly children?: ReactNode;
}

/** A link to another page of these, in the middle of a text. */
export function TextLink({ href, state, children }: TextLinkProps) {
  return (
    <Anchor component={Link} href={href} {...(state && { state })} underline="always">
      {children}
    </Anchor>
  );
}

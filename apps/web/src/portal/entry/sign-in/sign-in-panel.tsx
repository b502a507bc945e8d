import { Text } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { Loading } from '../../../shared/components/states/loading.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { lazyPart } from '../../../shared/routing/lazy-part.ts';
import { SignInForm } from './sign-in-form.tsx';
import type { UnconfirmedAccount } from './wait-for-email.tsx';

const WaitForEmail = lazyPart(async () => (await import('./wait-for-email.tsx')).WaitForEmail);
const SecondStep = lazyPart(async () => (await import('../../second-factor/second-step.tsx')).SecondStep);

interface SignInPanelProps {
  readonly title: string;
  /** Who asks for it. */
  readonly introduction?: ReactNode;
  /** What it is for. */
  readonly text?: string | undefined;
  readonly email?: string | undefined;
  /** Where the cursor goes: to the email address, or to the title where there is something to read first. */
  readonly focus?: 'email' | 'title';
  readonly onSignedIn?: () => void;
  /** What can be done instead. */
  readonly children?: ReactNode;
}

/** Signs somebody in, asks for the second factor, and waits with them for their email address to be confirmed. */
export function SignInPanel(props: SignInPanelProps) {
  const { title, introduction, text, email, focus = 'email', onSignedIn, children } = props;
  const [unconfirmed, setUnconfirmed] = useState<UnconfirmedAccount>();
  const [pendingToken, setPendingToken] = useState<string>();
  if (pendingToken !== undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <SecondStep
          pendingToken={pendingToken}
          onSignedIn={onSignedIn}
          onLeave={() => setPendingToken(undefined)}
        />
      </Suspense>
    );
  }
  if (unconfirmed !== undefined) {
    return (
      <Suspense fallback={<Loading />}>
        <WaitForEmail account={unconfirmed} onSignedIn={onSignedIn} />
      </Suspense>
    );
  }
  return (
    <>
      <PageTitle text={title} focusOnMount={focus === 'title'} />
      {introduction}
      {text !== undefined && <Text role="status">{text}</Text>}
      <SignInForm
        email={email}
        focusOnMount={focus === 'email'}
        onSignedIn={onSignedIn}
        onUnconfirmed={setUnconfirmed}
        onSecondFactor={setPendingToken}
      />
      {children}
    </>
  );
}

import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../shared/routing/lazy-part.ts';
import { setPrompt } from '../../session/fresh-sign-in.ts';

const FreshSignInDialog = lazyPart(
  async () => (await import('./fresh-sign-in-dialog.tsx')).FreshSignInDialog,
);

/** The place of the dialog that requests another proof of identity. */
export function FreshSignInHost() {
  const [answer, setAnswer] = useState<{ readonly give: (proved: boolean) => void }>();
  useEffect(() => {
    setPrompt(() => new Promise((give) => setAnswer({ give })));
    return () => setPrompt(undefined);
  }, []);
  if (answer === undefined) return null;
  const close = (proved: boolean): void => {
    setAnswer(undefined);
    answer.give(proved);
  };
  return (
    <Suspense fallback={null}>
      <FreshSignInDialog onClose={close} />
    </Suspense>
  );
}

import { useState } from 'react';
import { usePortalSession } from '../../session/session.ts';
import { AskBeforeHandOver } from './ask-before-hand-over.tsx';
import { TakeOver } from './take-over.tsx';

/**
 * Takes over the session that another page hands over. Whoever is signed in is asked before: any page may lead here, and
 * what is done afterwards would be done in an account of its choice.
 */
export function HandOver({ token }: { readonly token: string }) {
  const { user } = usePortalSession();
  const [isWanted, setWanted] = useState(user === null);
  if (!isWanted && user !== null)
    return <AskBeforeHandOver email={user.email} onWanted={() => setWanted(true)} />;
  return <TakeOver token={token} />;
}

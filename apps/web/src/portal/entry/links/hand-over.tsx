import { AskFirst } from './ask-first.tsx';
import { TakeOver } from './take-over.tsx';

/** Takes over the session that another page hands over. */
export function HandOver({ token }: { readonly token: string }) {
  return (
    <AskFirst>
      <TakeOver token={token} />
    </AskFirst>
  );
}

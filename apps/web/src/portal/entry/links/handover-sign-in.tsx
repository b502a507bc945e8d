import { AcceptHandover } from './accept-handover.tsx';
import { ConfirmAccountSwitch } from './confirm-account-switch.tsx';

/** Takes over the session that another page hands over. */
export function HandoverSignIn({ token }: { readonly token: string }) {
  return (
    <ConfirmAccountSwitch>
      <AcceptHandover token={token} />
    </ConfirmAccountSwitch>
  );
}

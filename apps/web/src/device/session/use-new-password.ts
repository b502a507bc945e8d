import { useState } from 'react';
import { flushSync } from 'react-dom';
import { invalidInputs } from '../../shared/components/form/invalid-inputs.ts';
import { type PasswordFaults, passwordFaults } from './password-rule.ts';

interface NewPassword {
  readonly password: string;
  readonly repeated: string;
  readonly faults: PasswordFaults | undefined;
  readonly onPassword: (password: string) => void;
  readonly onRepeated: (repeated: string) => void;
  /**
   * Whether it can be sent. When not, its inputs show their faults from now on, and the first of them gets the focus.
   */
  readonly check: (form: HTMLFormElement) => boolean;
  readonly clear: () => void;
}

/** The inputs of a new password, which are checked before they are sent. */
export function useNewPassword(): NewPassword {
  const [password, onPassword] = useState('');
  const [repeated, onRepeated] = useState('');
  const [isChecked, setChecked] = useState(false);
  const faults = passwordFaults(password, repeated);
  return {
    password,
    repeated,
    faults: isChecked ? faults : undefined,
    onPassword,
    onRepeated,
    check(form) {
      if (!faults.isLengthWrong && !faults.isRepeatedWrong) return true;
      flushSync(() => setChecked(true));
      invalidInputs(form)[0]?.focus();
      return false;
    },
    clear() {
      onPassword('');
      onRepeated('');
      setChecked(false);
    },
  };
}

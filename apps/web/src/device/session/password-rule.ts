import { MAX_DEVICE_PASSWORD_LENGTH, MIN_DEVICE_PASSWORD_LENGTH } from '@heliograph/contracts/password-rules';

/** The faults of two inputs that should hold the same new password. */
export interface PasswordFaults {
  readonly isLengthWrong: boolean;
  readonly isRepeatedWrong: boolean;
}

export function passwordFaults(password: string, repeated: string): PasswordFaults {
  return {
    isLengthWrong:
      password.length < MIN_DEVICE_PASSWORD_LENGTH || password.length > MAX_DEVICE_PASSWORD_LENGTH,
    isRepeatedWrong: password !== repeated,
  };
}

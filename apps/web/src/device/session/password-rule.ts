/** A device hangs on the home's network, where a guesser has time: it takes no shorter password. */
export const MIN_PASSWORD_LENGTH = 8;

/** The longest that a device takes, in characters. */
export const MAX_PASSWORD_LENGTH = 256;

/** The faults of two inputs that should hold the same new password. */
export interface PasswordFaults {
  readonly isLengthWrong: boolean;
  readonly isRepeatedWrong: boolean;
}

export function passwordFaults(password: string, repeated: string): PasswordFaults {
  return {
    isLengthWrong: password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH,
    isRepeatedWrong: password !== repeated,
  };
}

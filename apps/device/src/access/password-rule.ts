/** A device hangs on the home's network, where an attacker has time: short passwords are refused. */
export const MIN_PASSWORD_LENGTH = 8;

/** The longest password that is looked at, in characters: hashing must not be a way to keep a device busy. */
export const MAX_PASSWORD_LENGTH = 256;

/** Why a password cannot be the device's, in words that go on after its name; undefined when it can. */
export function complaintAboutPassword(password: string): string | undefined {
  if (password.length < MIN_PASSWORD_LENGTH) {
    return `must have at least ${MIN_PASSWORD_LENGTH} characters`;
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    return `must have at most ${MAX_PASSWORD_LENGTH} characters`;
  }
  return undefined;
}

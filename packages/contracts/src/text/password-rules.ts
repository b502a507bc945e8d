/** A device is on the home's network, where guesses cost little: it takes no shorter password, in characters. */
export const MIN_DEVICE_PASSWORD_LENGTH = 8;

/** The longest password of a device, in characters: hashing must not be a way to keep it busy. */
export const MAX_DEVICE_PASSWORD_LENGTH = 256;

/** The shortest password of an account, in characters. */
export const MIN_PASSWORD_LENGTH = 8;

/** Rules of an account's password. The cloud refuses guessable ones besides. */
export type PasswordRule = 'length' | 'lower' | 'upper' | 'other';

/** Letters of every script count, by their case. */
const PATTERNS: readonly (readonly [PasswordRule, RegExp])[] = [
  // Characters as a person counts them: one outside the basic plane is one.
  ['length', new RegExp(`^.{${MIN_PASSWORD_LENGTH}}`, 'su')],
  ['lower', /\p{Ll}/u],
  ['upper', /\p{Lu}/u],
  ['other', /[\p{N}\p{P}\p{S}]/u],
];

export const PASSWORD_RULES: readonly PasswordRule[] = PATTERNS.map(([name]) => name);

export function unmetRules(password: string): PasswordRule[] {
  return PATTERNS.filter(([, pattern]) => !pattern.test(password)).map(([name]) => name);
}

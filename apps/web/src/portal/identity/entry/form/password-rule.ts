/** The rules of passwords. The service decides. */
export type PasswordRule = 'length' | 'lower' | 'upper' | 'other';

const PATTERNS: readonly (readonly [PasswordRule, RegExp])[] = [
  // Characters as a person counts them: one outside the basic plane is one.
  ['length', /^.{8}/su],
  ['lower', /\p{Ll}/u],
  ['upper', /\p{Lu}/u],
  ['other', /[\p{N}\p{P}\p{S}]/u],
];

export const PASSWORD_RULES: readonly PasswordRule[] = PATTERNS.map(([name]) => name);

export function unmetRules(password: string): PasswordRule[] {
  return PATTERNS.filter(([, pattern]) => !pattern.test(password)).map(([name]) => name);
}

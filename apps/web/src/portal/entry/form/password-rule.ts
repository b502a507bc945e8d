/** What a password has to have. The service has the last word. */
export type Ingredient = 'length' | 'lower' | 'upper' | 'other';

const PATTERNS: readonly (readonly [Ingredient, RegExp])[] = [
  // Characters as a person counts them: one outside the basic plane is one.
  ['length', /^.{8}/su],
  ['lower', /\p{Ll}/u],
  ['upper', /\p{Lu}/u],
  ['other', /[\p{N}\p{P}\p{S}]/u],
];

export const INGREDIENTS: readonly Ingredient[] = PATTERNS.map(([name]) => name);

export function missingIn(password: string): Ingredient[] {
  return PATTERNS.filter(([, pattern]) => !pattern.test(password)).map(([name]) => name);
}

import { STYLES } from './compat-data.ts';

/** A feature of CSS that the oldest supported browsers lack, as a style sheet uses it. */
export interface NewerStyle {
  /** A property, `@rule`, `:selector` or `function()`. */
  readonly use: string;
  readonly lackedBy: readonly string[];
}

/** Of minified CSS: strings and comments hold none of these. */
const PARTS: readonly { readonly pattern: RegExp; readonly nameOf: (found: string) => string }[] = [
  { pattern: /[{;]([a-z][a-z-]+):/g, nameOf: (property) => property },
  { pattern: /@([a-z][a-z-]+)/g, nameOf: (rule) => `@${rule}` },
  { pattern: /:([a-z][a-z-]+)(?=[^{};]*\{)/g, nameOf: (selector) => `:${selector}` },
  { pattern: /[\s,:(]([a-z][a-z-]+)\(/g, nameOf: (name) => `${name}()` },
];

/** Finds the features of CSS that the oldest supported browsers lack, each once. @param css minified */
export function newerStyles(css: string): NewerStyle[] {
  const uses = new Set(
    PARTS.flatMap(({ pattern, nameOf }) => [...css.matchAll(pattern)].map(([, name = '']) => nameOf(name))),
  );
  return [...uses].toSorted().flatMap((use) => {
    const features = STYLES.get(use) ?? [];
    if (features.length === 0 || features.some(({ lackedBy }) => lackedBy.length === 0)) return [];
    return [{ use, lackedBy: features[0]?.lackedBy ?? [] }];
  });
}

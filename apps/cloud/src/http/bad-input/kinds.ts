import type { DocumentSchema } from '../../testing/api-document.ts';

/** What refuses a value before an operation's own code sees it; undefined where nothing does. */
type KindOf<T> = (value: T) => string | undefined;

/**
 * All values that reach an operation, and of those that something refuses for all operations alike, one of each kind:
 * another one for each turn, so that in the end each was sent somewhere.
 */
export function oneOfEachKind<T>(values: readonly T[], kindOf: KindOf<T>, turn: number): T[] {
  return [...Map.groupBy(values, kindOf)].flatMap(([kind, alike]) =>
    kind === undefined ? alike : alike.slice(turn % alike.length).slice(0, 1),
  );
}

/** @param schema what the parameter may be; undefined where no operation reads it */
export function kindOfUrlPart(schema: DocumentSchema | undefined): KindOf<string> {
  return (part) => {
    const text = decoded(part);
    if (text === undefined) return 'no text';
    if (text.includes('\0')) return 'text that cannot be stored';
    if (schema === undefined) return 'for nobody';
    return schema.type === 'integer' && !/^-?\d+$/.test(text) ? 'no integer' : undefined;
  };
}

/** @param accepts whether the schema of the operation takes a body with the value */
export function kindOfValue(accepts: (value: unknown) => boolean): KindOf<unknown> {
  return (value) => {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      return 'text that cannot be stored';
    }
    if (accepts(value)) return undefined;
    if (value === null || Array.isArray(value)) return value === null ? 'null' : 'a list';
    return typeof value;
  };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

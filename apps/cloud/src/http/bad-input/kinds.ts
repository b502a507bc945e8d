import type { DocumentSchema } from '../../testing/api-document.ts';
import { likenessOf } from './hostile.ts';

/** What a value has in common with others: mostly what refuses it before an operation's own code; undefined for nothing. */
type KindOf<T> = (value: T) => string | undefined;

/** All values that have no kind, and one of each kind: another one for another turn. */
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
    if (isUnstorable(value)) return 'text that cannot be stored';
    if (accepts(value)) return typeof value === 'string' ? likenessOf(value) : undefined;
    return `refused ${Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value}`;
  };
}

/** Whether no operation may be sent it, whatever its schema says. */
export function isUnstorable(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

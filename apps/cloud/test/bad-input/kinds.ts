import type { DocumentSchema } from '../api-document.ts';
import { similarityGroupOf } from './hostile-values.ts';

/** The reason why values of a kind are refused before the operation's own code; undefined for values without a kind. */
type KindOf<T> = (value: T) => string | undefined;

/** All values without a kind, and one of each kind, chosen by `offset`. */
export function oneOfEachKind<T>(values: readonly T[], kindOf: KindOf<T>, offset: number): T[] {
  return [...Map.groupBy(values, kindOf)].flatMap(([kind, members]) =>
    kind === undefined ? members : members.slice(offset % members.length).slice(0, 1),
  );
}

/** @param schema undefined for a parameter that no operation reads */
export function kindOfUrlPart(schema: DocumentSchema | undefined): KindOf<string> {
  return (part) => {
    const text = decoded(part);
    if (text === undefined) return 'no text';
    if (text.includes('\0')) return 'text that cannot be stored';
    if (schema === undefined) return 'unknown parameter';
    return schema.type === 'integer' && !/^-?\d+$/.test(text) ? 'no integer' : undefined;
  };
}

/** @param accepts whether a body with the value satisfies the operation's schema */
export function kindOfValue(accepts: (value: unknown) => boolean): KindOf<unknown> {
  return (value) => {
    if (isUnstorable(value)) return 'text that cannot be stored';
    if (accepts(value)) return typeof value === 'string' ? similarityGroupOf(value) : undefined;
    return `refused ${Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value}`;
  };
}

/** Whether every operation must refuse the value, whatever its schema. */
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

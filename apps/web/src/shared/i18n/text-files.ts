/** The texts of one namespace in one language, as a module. */
export interface TextFile {
  readonly default: Readonly<Record<string, unknown>>;
}

/** Loads the texts of an application, by `textPath`. Each application lists its own: all would weigh too much. */
export type TextFiles = Readonly<Record<string, () => Promise<TextFile>>>;

/** @param locale as the API names a language */
export function textPath(locale: string, namespace: string): string {
  return `${locale}/${namespace}`;
}

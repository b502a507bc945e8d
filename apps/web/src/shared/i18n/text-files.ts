/** A file of texts, as it is loaded. */
export interface TextFile {
  readonly default: Readonly<Record<string, unknown>>;
}

/**
 * Loaders of an application's texts, by their file as seen from its folder: `../locales/de/shared.json`. Each
 * application lists its own: a list of all is too much for the first view of a device.
 */
export type TextFiles = Readonly<Record<string, () => Promise<TextFile>>>;

/** @param locale as the API names a language @param namespace the part of its texts */
export function textPath(locale: string, namespace: string): string {
  return `../locales/${locale}/${namespace}.json`;
}

/** Made by `build/text-modules.ts`. */
declare module 'virtual:texts' {
  /**
   * Loads the texts of one namespace in one language.
   *
   * @param locale as the API names a language
   */
  export type LoadTexts = (
    locale: string,
    namespace: string,
  ) => Promise<{ readonly default: Readonly<Record<string, unknown>> }>;
  export const loadTexts: LoadTexts;
}

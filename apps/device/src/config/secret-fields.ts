const SECRET = /pass(?:word|phrase)|secret|token/i;

/** Whether values of a field of this name, or dotted path, are never shown. */
export function isSecretField(name: string): boolean {
  return SECRET.test(name);
}

/** The secrets among the options of a connection. */
export function secretsIn(options: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    isSecretField(name) && typeof value === 'string' ? [value] : [],
  );
}

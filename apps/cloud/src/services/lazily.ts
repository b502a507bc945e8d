/** An object each of whose properties is made once, when it is first read. */
export function lazily<T extends object>(factories: { readonly [Name in keyof T]: () => T[Name] }): T {
  const lazy = {} as T;
  for (const name of Object.keys(factories) as (keyof T)[]) {
    let made: { readonly value: T[keyof T] } | undefined;
    const get = () => {
      made ??= { value: factories[name]() };
      return made.value;
    };
    Object.defineProperty(lazy, name, { enumerable: true, get });
  }
  return lazy;
}
